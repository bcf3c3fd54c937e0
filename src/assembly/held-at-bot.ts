import type { ServiceOptions } from '../payments-service/service.ts'
import type { Tipping } from '../tipping/tipping.ts'

interface Beside {
  /** Whether this project is the bot's own. The references of other projects do not identify members of this bot. */
  isOwn(projectId: string): boolean
  /** Returns the bot's tipping; undefined while the bot is down. */
  tipping(): Pick<Tipping, 'balances'> | undefined
}

/**
 * Returns the function with which the service's wallet page reads a member's balance at the bot in the same process.
 */
export function heldAtBot({ isOwn, tipping }: Beside): NonNullable<ServiceOptions['heldAtBot']> {
  return async ({ projectId, reference }) =>
    isOwn(projectId) ? await tipping()?.balances.available(reference) : undefined
}
