import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingSettings } from '../../core/settings.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { type LiveLink, liveLinks } from '../payouts/live-link.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { Recipient, TipCommand } from './gifts.ts'

/**
 * Chooses the recipients. Somebody named twice counts once. A group leaves out the sender and bots. Refuses a tip only
 * to the sender or bots.
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

/** Returns how many days the bot holds a tip for somebody who has not used it yet. */
export async function claimDaysIn({ preferences, settings }: TippingContext, guild: string | null): Promise<number> {
  const { claimDays = settings.claimDays } = await preferences.inForce(guild)
  return claimDays
}

/** Returns when an unclaimed tip goes back after that many days. */
export function claimableUntil(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 24 * 3_600_000)
}

/** The status of somebody who uses the botand to whom a tip therefore belongs immediately. */
export interface RecipientStatus {
  /** Where tips are forwarded, if that is permitted. */
  readonly link: LiveLink | undefined
  /** Whether tips are forwarded to a Lightning Address. */
  readonly forwards: boolean
  /** For a linked member: how much more stays here, in msats. */
  readonly room: Msats
  /** Whether they want a private message about received tips. */
  readonly receipts: boolean
}

/** Returns the status of each of these people who uses the bot. Missing people are newcomers. */
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

/** Few members hold a part of their tips here, so most tips skip this query. */
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
