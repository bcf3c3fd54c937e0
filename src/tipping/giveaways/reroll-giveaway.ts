import { InsufficientFunds } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { recipientStatuses } from '../engine/gifts/recipients.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { planPrize } from './draw-giveaway.ts'
import { findGiveaway } from './find-giveaway.ts'
import type { GiveawayRerollView, RerollGiveaway } from './giveaways.ts'
import { lineOf } from './line-of-draw.ts'
import { lastRound } from './settle-claims.ts'
import { viewReroll } from './view-giveaway.ts'

/**
 * Pays a new prize from the starter's balance to the next person in the order that the draw fixed. Throws
 * TippingRefusal `giveaway-not-found`, `not-yours`, `giveaway-not-drawn`, `giveaway-claim-runs`, `giveaway-nobody-left`
 * or `insufficient-funds`.
 */
export async function rerollGiveaway(context: TippingContext, command: RerollGiveaway): Promise<GiveawayRerollView> {
  const { giveaway: id, member, origin } = command
  const giveaway = await findGiveaway(context, command)
  if (giveaway.starter !== member) throw new TippingRefusal('not-yours', {})
  if (giveaway.state !== 'drawn') throw new TippingRefusal('giveaway-not-drawn', {})
  if (giveaway.claimMinutes !== null && giveaway.settledAt === null) {
    const claims = await context.database.read.giveawayClaim.findMany({ where: { giveawayId: id } })
    throw new TippingRefusal('giveaway-claim-runs', { until: lastRound(claims).until })
  }
  const win = await context.once.perform(
    { interaction: origin.interaction, verb: 'giveaway-reroll', content: [id, member] },
    (digest) => perform(context, giveaway, command, digest),
  )
  return await viewReroll(context, win)
}

async function perform(
  context: TippingContext,
  giveaway: Giveaway,
  command: RerollGiveaway,
  digest: string,
): Promise<string> {
  for (;;) {
    const place = await placesTaken(context, giveaway)
    try {
      return await draw(context, giveaway, { place, command, digest })
    } catch (error) {
      if (error instanceof InsufficientFunds) {
        const [needed, missing] = [msats(giveaway.prize), msats(error.missing)]
        throw new TippingRefusal('insufficient-funds', { balance: msats(needed - missing), needed, missing })
      }
      // Another person was drawn at this moment, so somebody else is next.
      if (error instanceof TippingRefusal || (await placesTaken(context, giveaway)) === place) throw error
    }
  }
}

/**
 * Returns how many places in the draw's order are taken, including those of people who were drawn and did not claim.
 */
async function placesTaken({ database: { read } }: ReadonlyBook, { id, claimMinutes }: Giveaway): Promise<number> {
  if (claimMinutes === null) return await read.giveawayWin.count({ where: { giveawayId: id } })
  const named = await read.giveawayClaim.count({ where: { giveawayId: id } })
  return named + (await read.giveawayWin.count({ where: { giveawayId: id, again: true } }))
}

async function draw(
  context: TippingContext,
  giveaway: Giveaway,
  { place, command, digest }: { readonly place: number; readonly command: RerollGiveaway; readonly digest: string },
): Promise<string> {
  const { origin, accountSince } = command
  const next = (await lineOf(context, giveaway, place + 1))[place]
  if (next === undefined) throw new TippingRefusal('giveaway-nobody-left', {})
  const { member } = next
  const status = (await recipientStatuses(context.database.read, [member])).get(member)
  const [card, at] = [context.entropy.uuid(), now(context)]
  const prize = planPrize(context, { giveaway, member, place, again: true, card, at, status })
  const limits = await context.limits.limitsFor(origin.guild)
  const gift = { member: giveaway.starter, amount: msats(giveaway.prize) }
  const moves = [{ from: memberAccount(gift.member), to: memberAccount(member), amount: gift.amount }]
  await context.commit({
    entries: [{ operation: prize.id, step: 'post', moves }, ...prize.onward.entries],
    rows: [
      operationRow({
        id: prize.id,
        verb: 'giveaway-reroll',
        record: prize.id,
        interaction: origin.interaction,
        digest,
        createdAt: at,
      }),
      ...prize.rows,
      context.cards.row({
        id: card,
        kind: 'giveaway-reroll',
        record: prize.id,
        audience: { channel: origin.channel },
        origin,
      }),
    ],
    write: async (tx) => {
      await spendAllowance(context, tx, { ...gift, guild: origin.guild, limits, accountSince })
      await noteDue(context, tx, [prize.onward])
      await context.cards.raise(tx, [giveaway.card])
    },
  })
  await startOnward(context, [prize.onward])
  return prize.id
}
