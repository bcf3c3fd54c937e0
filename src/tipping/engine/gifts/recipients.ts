import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingSettings } from '../../core/settings.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { type LiveLink, liveLinks } from '../payouts/live-link.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { Recipient, TipCommand } from './gifts.ts'

/**
 * Returns the ids of the recipients, each once, without the sender and bots. Throws TippingRefusal `tip-to-self`,
 * `tip-to-bot` or `no-recipients` if nobody remains, and `too-many-recipients`.
 */
export function chooseRecipients(command: TipCommand, { maxRecipients }: TippingSettings): string[] {
  const named = new Map<string, Recipient>(command.to.map((recipient) => [recipient.id, recipient]))
  const chosen = [...named.values()].filter((recipient) => !recipient.bot && recipient.id !== command.from)
  if (chosen.length === 0) {
    if (named.has(command.from)) throw new TippingRefusal('tip-to-self', {})
    throw new TippingRefusal(named.size > 0 ? 'tip-to-bot' : 'no-recipients', {})
  }
  if (chosen.length > maxRecipients) throw new TippingRefusal('too-many-recipients', { most: maxRecipients })
  return chosen.map((recipient) => recipient.id)
}

/** Returns how many days the bot holds a tip for a recipient who has not used the bot yet. */
export async function claimDaysIn({ preferences, settings }: TippingContext, guild: string | null): Promise<number> {
  const { claimDays = settings.claimDays } = await preferences.inForce(guild)
  return claimDays
}

/** Returns when a tip goes back if it stays unclaimed for that many days. */
export function claimableUntil(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 24 * 3_600_000)
}

/** The status of a member who uses the bot, and to whom a tip therefore belongs immediately. */
export interface RecipientStatus {
  /** The link to which tips are forwarded; undefined if there is none, or it is frozen. */
  readonly link: LiveLink | undefined
  /** Whether tips are forwarded to a Lightning Address. */
  readonly forwards: boolean
  /** How much more of a linked member's tips stays in the balance here, in msats. */
  readonly room: Msats
  /** Whether the member wants a private message about received tips. */
  readonly receipts: boolean
}

/** Returns, by id, the statuses of those of these people who use the bot. The others are newcomers. */
export async function recipientStatuses(
  client: Pick<Tx, 'member' | 'link' | 'account'>,
  ids: readonly string[],
): Promise<Map<string, RecipientStatus>> {
  const [members, links] = await Promise.all([
    client.member.findMany({ where: { id: { in: [...ids] }, forgottenAt: null } }),
    liveLinks(client, ids),
  ])
  // Stryker disable next-line ConditionalExpression: avoids reading balances that make no difference.
  const keepers = members.filter(({ id, keepHere }) => keepHere > 0n && links.has(id))
  const balances = await balancesOf(client, keepers)
  return new Map(
    members.map(({ id, receipts, forwardTo, keepHere }) => {
      const link = links.get(id)
      const left = keepHere - (balances.get(id) ?? 0n)
      const room = msats(left > 0n ? left : 0n)
      return [id, { link: link?.frozen ? undefined : link, forwards: forwardTo !== null, room, receipts }]
    }),
  )
}

/**
 * Returns the balances of members who hold a part of their tips here. There are few such members, so most tips skip
 * this query.
 */
async function balancesOf(
  client: Pick<Tx, 'account'>,
  keepers: readonly { readonly id: string }[],
): Promise<Map<string, bigint>> {
  // Stryker disable next-line ConditionalExpression: of nobody, no balance is found.
  if (keepers.length === 0) return new Map()
  const owners = keepers.map(({ id }) => id)
  const accounts = await client.account.findMany({ where: { kind: 'member', owner: { in: owners } } })
  return new Map(accounts.map(({ owner, balance }) => [owner, balance]))
}
