import { AlreadyWritten, InsufficientFunds } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { timeOfSnowflake } from '../../lib/snowflake-time.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { recipientStatuses } from '../engine/gifts/recipients.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway, GiveawayClaim } from '../generated/client.ts'
import { planPrize } from './draw-giveaway.ts'
import type { ClaimPrize, PrizeClaimed } from './giveaways.ts'
import { cardsOf } from './name-winners.ts'

/**
 * Pays a drawn member's prize from the pot, in the same change that marks it as claimed. A press of the button counts
 * if it comes before the end of the claim time by the bot's clock and by Discord's. Throws TippingRefusal
 * `giveaway-not-found`, `giveaway-not-won` or `giveaway-claim-late`.
 */
export async function claimPrize(context: TippingContext, command: ClaimPrize): Promise<PrizeClaimed> {
  const { giveaway: giveawayId, member, interaction } = command
  const { read } = context.database
  const giveaway = await read.giveaway.findUnique({ where: { id: giveawayId } })
  if (giveaway === null) throw new TippingRefusal('giveaway-not-found', {})
  const claim = await read.giveawayClaim.findUnique({ where: { giveawayId_member: { giveawayId, member } } })
  if (claim === null) throw new TippingRefusal('giveaway-not-won', {})
  const amount = msats(giveaway.prize)
  if (claim.claimedAt !== null) return { already: true, prize: amount }
  const { id, card, place } = claim
  const status = (await recipientStatuses(read, [member])).get(member)
  const at = now(context)
  const { rows, onward } = planPrize(context, { id, giveaway, member, place, again: false, card, at, status })
  try {
    await context.commit({
      entries: [
        { operation: id, step: 'post', moves: [{ from: pot(giveawayId), to: memberAccount(member), amount }] },
        ...onward.entries,
      ],
      rows: [operationRow({ id, verb: 'giveaway-claim', record: id, interaction, createdAt: at }), ...rows],
      write: async (tx) => {
        await take(context, tx, { giveaway, claim, interaction })
        await noteMember(tx, member, at)
        await noteDue(context, tx, [onward])
      },
    })
  } catch (error) {
    // The pot is empty after the rest went back.
    if (error instanceof InsufficientFunds) throw new TippingRefusal('giveaway-claim-late', { until: claim.until })
    if (!(error instanceof AlreadyWritten)) throw error
    return { already: true, prize: amount }
  }
  await startOnward(context, [onward])
  void context.poller.wake()
  return { already: false, prize: amount }
}

/** Marks a prize as claimed. Throws TippingRefusal `giveaway-claim-late` if that is no longer possible. */
async function take(
  context: TippingContext,
  tx: Tx,
  press: { readonly giveaway: Giveaway; readonly claim: GiveawayClaim; readonly interaction: string },
): Promise<void> {
  const { giveaway, claim, interaction } = press
  const { id: giveawayId, createdAt: bornAt } = giveaway
  const [at, pressedAt] = [now(context), timeOfSnowflake(interaction) ?? 0]
  const { until, round } = await tx.giveawayClaim.findUniqueOrThrow({ where: { id: claim.id } })
  const isLast = (await tx.giveawayClaim.count({ where: { giveawayId, round: { gt: round } } })) === 0
  const isOpen = (await tx.giveaway.count({ where: { id: giveawayId, state: 'drawn', settledAt: null } })) > 0
  if (!isOpen || !isLast || at >= until || pressedAt >= until.getTime()) {
    throw new TippingRefusal('giveaway-claim-late', { until })
  }
  await tx.giveawayClaim.update({ where: { id: claim.id }, data: { claimedAt: at, press: interaction } })
  await context.cards.raise(tx, await cardsOf(tx, giveaway))
  const open = await tx.giveawayClaim.count({ where: { giveawayId, round, claimedAt: null } })
  if (open === 0) await schedulePoll(tx, { id: giveawayId, kind: 'giveaway', bornAt }, at)
}
