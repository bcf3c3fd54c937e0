import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Asking } from './command.ts'

/** The verb of the claim button. A press of this button claims nothing automatically beforehand. */
export const CLAIM_VERB = 'claim'
/** The command after which waiting sats are claimed, so that they go straight to the account that was just linked. */
export const LINK_COMMAND = 'link'

/**
 * Whether sats wait for a member and must be claimed together with this command. Never throws, because a failed reading
 * must not prevent the answer.
 */
export async function hasUnclaimed({ tipping, member, log }: Asking, command: string): Promise<boolean> {
  if (command === CLAIM_VERB) return false
  try {
    return await tipping.claims.hasUnclaimed(member)
  } catch (error) {
    log.warn({ err: error }, 'what waits for a member could not be read')
    return false
  }
}

/**
 * Claims the sats that wait for a member, whenever the member uses a command, so that nobody is told to deposit while
 * unclaimed sats wait. Resolves to the card of the claim; undefined if no sats were left to claim.
 */
export async function claimWaiting({ member, origin, tipping }: Asking): Promise<string | undefined> {
  try {
    const { card } = await tipping.claims.take({
      member,
      origin: { ...origin, interaction: claimIdOf(origin), reply: '' },
    })
    return card
  } catch (error) {
    if (error instanceof TippingRefusal) return undefined
    throw error
  }
}

/**
 * Returns the id under which the claim counts as a separate command. The claim's card is shown below the given
 * command's answer.
 */
export function claimIdOf({ interaction }: Pick<Asking['origin'], 'interaction'>): string {
  return `${interaction} claim`
}
