import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Asking } from './command.ts'

/** The verb of what claims by itself: for it, nothing is claimed first. */
export const CLAIM_VERB = 'claim'
/** After this command, what waits goes straight to the account that was just linked. */
export const LINK_COMMAND = 'link'

/** Whether sats wait for a member that this command would claim. Nobody waits for their answer because that could not be read. */
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
 * Claims what waits for somebody with their command: whatever they use the bot for, they shall not be
 * told to deposit while sats are waiting. Resolves to the card that tells of it; undefined where nothing was left.
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

/** The claim is a command of its own, and is told below the answer to the one that was given. */
export function claimIdOf({ interaction }: Pick<Asking['origin'], 'interaction'>): string {
  return `${interaction} claim`
}
