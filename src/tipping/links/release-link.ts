import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import { endLink } from '../engine/members/end-link.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { gamertagAsTyped, idOf } from './link-member.ts'
import type { EndedLink, Link, ReleaseCommand } from './links.ts'

/** The most characters in the reason, as in any text by an operator. */
const MAX_REASON = 300

/**
 * Ends a member's link to a Lightning account, and tells that member and the other operators. No sats move: from then
 * on, the member's tips stay in the balance here. Throws TippingRefusal `gamertag-not-linked`, `text-too-long`,
 * `provider-unreachable` or `provider-refused`.
 */
export async function releaseLink(context: TippingContext, command: ReleaseCommand): Promise<Link> {
  const reason = command.reason.trim()
  if (reason.length > MAX_REASON) throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_REASON })
  const { gamertag, lightningId } = await namedAccount(context, command.gamertag)
  return await context.commit({
    write: async (tx) => {
      const link = await tx.link.findFirst({ where: { lightningId, endedAt: null } })
      if (link === null) throw new TippingRefusal('gamertag-not-linked', { gamertag })
      await endLink(context, tx, link)
      const text = `${person(command.operator)} ended the link of ${person(link.member)} to ${gamertag}: ${reason}`
      await raiseAlert(context, tx, { kind: 'link-ended', about: link.id, text })
      return { lightningId, gamertag }
    },
  })
}

/**
 * Returns the account with the gamertag that an operator typed. A gamertag that no wallet has is refused as not linked,
 * because the usual refusals are written for the wallet's owner.
 */
async function namedAccount(context: TippingContext, typed: string): Promise<Link> {
  try {
    const gamertag = gamertagAsTyped(typed)
    return { gamertag, lightningId: await idOf(context, gamertag) }
  } catch (error) {
    const isNoName = error instanceof TippingRefusal && NO_NAME.has(error.code)
    throw isNoName ? new TippingRefusal('gamertag-not-linked', { gamertag: typed }) : error
  }
}

const NO_NAME: ReadonlySet<string> = new Set(['gamertag-not-found', 'gamertag-malformed', 'destination-on-chain'])

/** Returns the gamertag of a link that somebody else ended. Throws TippingRefusal `not-there`. */
export async function readEndedLink({ database }: ReadonlyBook, id: string): Promise<EndedLink> {
  const link = await database.read.link.findUnique({ where: { id } })
  if (link === null) throw new TippingRefusal('not-there', {})
  return { gamertag: link.gamertag }
}
