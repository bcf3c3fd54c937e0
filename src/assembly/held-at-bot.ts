import type { ServiceOptions } from '../payments-service/service.ts'
import type { Tipping } from '../tipping/tipping.ts'

interface Beside {
  /** Whether it is the bot's project. Names of another project's users are not for our members. */
  isOwn(projectId: string): boolean
  /** Undefined while the bot is away. */
  tipping(): Pick<Tipping, 'balances'> | undefined
}

/** Lets the service's wallet page tell a member their balance at the bot of the same process. */
export function heldAtBot({ isOwn, tipping }: Beside): NonNullable<ServiceOptions['heldBeside']> {
  return async ({ projectId, reference }) =>
    isOwn(projectId) ? await tipping()?.balances.available(reference) : undefined
}
