import type { ServiceOptions } from '../payments-service/service.ts'
import type { Tipping } from '../tipping/tipping.ts'

interface Beside {
  /** Whether it is the bot's project. Another project's names for its users do not concern our members. */
  isOwn(projectId: string): boolean
  /** Undefined while the bot is down. */
  tipping(): Pick<Tipping, 'balances'> | undefined
}

/** Lets the service's wallet page show a member's balance at the bot in the same process. */
export function heldAtBot({ isOwn, tipping }: Beside): NonNullable<ServiceOptions['heldAtBot']> {
  return async ({ projectId, reference }) =>
    isOwn(projectId) ? await tipping()?.balances.available(reference) : undefined
}
