import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Asking } from './command.ts'

/** The verb of the claim button, before which nothing is claimed automatically. */
export const CLAIM_VERB = 'claim'
/** After this command, waiting sats go straight to the account that was just linked. */
export const LINK_COMMAND = 'link'

/**
 * Whether sats wait for a member that this command would claim. Never throws, because a failed reading must not delay
 * the answer.
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
 * Claims the sats that wait for a member, together with any command of theirs, so that nobody is told to deposit while
 * sats wait for them. Resolves to the card that shows it; undefined if nothing was left.
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

/** Gives the claim an id as a separate command, which is shown below the given command's answer. */
export function claimIdOf({ interaction }: Pick<Asking['origin'], 'interaction'>): string {
  return `${interaction} claim`
}
