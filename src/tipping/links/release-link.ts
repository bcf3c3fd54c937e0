import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import { endLink } from '../engine/members/end-link.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { gamertagAsTyped, idOf } from './link-member.ts'
import type { EndedLink, Link, ReleaseCommand } from './links.ts'

/** The most characters, as for any text by an operator. */
const MAX_REASON = 300

/**
 * Ends a member's link to a Lightning account, and tells them and the other operators. No sats move: the member's tips
 * stay in their balance from then on. Throws TippingRefusal `gamertag-not-linked`, `text-too-long`,
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
 * Finds the account that an operator names. Nobody has linked a name that no wallet has, and the other refusals of such
 * a name speak to the wallet's owner.
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

/** Returns a link that somebody else ended. Throws TippingRefusal `not-there`. */
export async function readEndedLink({ database }: ReadonlyBook, id: string): Promise<EndedLink> {
  const link = await database.read.link.findUnique({ where: { id } })
  if (link === null) throw new TippingRefusal('not-there', {})
  return { gamertag: link.gamertag }
}
