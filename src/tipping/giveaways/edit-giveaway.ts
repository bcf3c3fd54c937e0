import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { roundOfDraw } from '../../lib/proofs/draw-proof.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { type CoreContext, now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { boundsOf } from '../core/gift-limits.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { findGiveaway } from './find-giveaway.ts'
import type { EditGiveaway, GiveawayView, PlanEdit, PlannedEdit } from './giveaways.ts'
import { MAX_DAYS, MIN_MINUTES, readDuration } from './read-duration.ts'
import { viewGiveaway } from './view-giveaway.ts'

/**
 * Returns the requested changes and their cost, and changes nothing. A giveaway can only grow: a larger prize, more
 * winners, a later end. Throws TippingRefusal as `editGiveaway` does, and for unreadable values.
 */
export async function planEdit(context: CoreContext, command: PlanEdit): Promise<PlannedEdit> {
  const giveaway = await findGiveaway(context, command)
  const { prize: typed, winners = giveaway.winners, longer } = command
  const limits = await context.limits.limitsFor(giveaway.guild)
  const prize = typed === undefined ? msats(giveaway.prize) : readAmount(typed, boundsOf(context, limits))
  const endsAt = longer === undefined ? undefined : new Date(giveaway.endsAt.getTime() + readDuration(longer))
  const edit = { prize, winners, endsAt }
  mustOnlyGrow(context, giveaway, edit)
  mustBeAllowed(giveaway, command, edit)
  const revision = await context.database.read.giveawayEdit.count({ where: { giveawayId: giveaway.id } })
  return { ...edit, giveaway: await viewGiveaway(context, giveaway.id), revision, cost: costOf(giveaway, edit) }
}

/**
 * Changes a giveaway that people can still enter. The same change takes the cost from the starter's balance. A
 * moderator who is not the starter can only set a later end. The card and the moderation log show the change with its
 * author. Throws TippingRefusal `giveaway-not-found`, `not-yours`, `giveaway-edit-starter`, `giveaway-edit-pool`,
 * `giveaway-edit-less`, `giveaway-edit-nothing`, `giveaway-closing`, `giveaway-changed` if the giveaway has changed
 * since the plan, `giveaway-over`, `insufficient-funds`, or a limit.
 */
export async function editGiveaway(context: TippingContext, command: EditGiveaway): Promise<GiveawayView> {
  const { giveaway: id, member, revision, prize, winners, endsAt, origin } = command
  const giveaway = await findGiveaway(context, command)
  const content = [id, member, revision, prize.toString(), winners, endsAt?.getTime()]
  await context.once.perform({ interaction: origin.interaction, verb: 'giveaway-edit', content }, (digest) =>
    perform(context, giveaway, command, digest),
  )
  void context.poller.wake()
  return await viewGiveaway(context, id)
}

type Edit = Pick<EditGiveaway, 'prize' | 'winners' | 'endsAt'>

/** Returns by how much the total of all prizes increases, in msats. */
function costOf({ prize: before, winners: fewer }: Giveaway, { prize, winners }: Edit): Msats {
  return msats(prize * BigInt(winners) - before * BigInt(fewer))
}

function mustOnlyGrow(context: ReadonlyBook, giveaway: Giveaway, { prize, winners, endsAt }: Edit): void {
  if (!Number.isSafeInteger(winners) || prize < giveaway.prize || winners < giveaway.winners)
    throw new TippingRefusal('giveaway-edit-less', { prize: msats(giveaway.prize), winners: giveaway.winners })
  const most = Math.min(context.settings.maxRecipients, (giveaway.maxEntries ?? Number.POSITIVE_INFINITY) - 1)
  if (winners > giveaway.winners && winners > most) throw new TippingRefusal('too-many-winners', { most })
  if (prize === giveaway.prize && winners === giveaway.winners && endsAt === undefined)
    throw new TippingRefusal('giveaway-edit-nothing', {})
  if (endsAt === undefined) return
  // An announced early end stays, because people were told to hurry.
  if (giveaway.shortenedAt !== null) throw new TippingRefusal('giveaway-closing', {})
  if (endsAt <= giveaway.endsAt || endsAt.getTime() > context.clock.now() + MAX_DAYS * 86_400_000)
    throw new TippingRefusal('duration-out-of-range', { shortest: MIN_MINUTES, longest: MAX_DAYS })
}

function mustBeAllowed(
  giveaway: Giveaway,
  { member, moderator }: Pick<EditGiveaway, 'member' | 'moderator'>,
  edit: Edit,
): void {
  if (giveaway.starter !== member && !moderator) throw new TippingRefusal('not-yours', {})
  if (costOf(giveaway, edit) === 0n) return
  // More from a pool is a separate spending, with a budget and a reason of its own.
  if (giveaway.pool !== null) throw new TippingRefusal('giveaway-edit-pool', {})
  if (giveaway.starter !== member) throw new TippingRefusal('giveaway-edit-starter', {})
}

async function perform(
  context: TippingContext,
  giveaway: Giveaway,
  command: EditGiveaway,
  digest: string,
): Promise<string> {
  const { member, accountSince, origin } = command
  mustBeAllowed(giveaway, command, command)
  const [id, at, amount] = [context.entropy.uuid(), now(context), costOf(giveaway, command)]
  const { guild } = giveaway
  const limits = await context.limits.limitsFor(guild)
  // The server's bounds may have changed since the question.
  if (command.prize !== giveaway.prize) readAmount(`${command.prize} msats`, boundsOf(context, limits))
  const moves = [{ from: memberAccount(member), to: pot(giveaway.id), amount }]
  try {
    await context.commit({
      entries: amount > 0n ? [{ operation: id, step: 'post', moves }] : [],
      rows: [
        operationRow({
          ...{ id, verb: 'giveaway-edit', record: id },
          ...{ interaction: origin.interaction, digest, createdAt: at },
        }),
      ],
      write: async (tx) => {
        await change(context, tx, { id, at, before: giveaway, command })
        if (amount > 0n) await spendAllowance(context, tx, { member, guild, amount, limits, accountSince })
      },
    })
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error
    const missing = msats(error.missing)
    throw new TippingRefusal('insufficient-funds', { balance: msats(amount - missing), needed: amount, missing })
  }
  return id
}

/**
 * Writes the changes. `before`: the giveaway's state when the cost was computed. If the giveaway has changed since,
 * throws TippingRefusal `giveaway-changed`, and nothing changes.
 */
async function change(
  context: TippingContext,
  tx: Tx,
  edit: { readonly id: string; readonly at: Date; readonly before: Giveaway; readonly command: EditGiveaway },
): Promise<void> {
  const { id, at, before, command } = edit
  const { member, revision, prize, winners } = command
  const giveaway = await tx.giveaway.findUniqueOrThrow({ where: { id: before.id } })
  if (giveaway.state !== 'open' || at >= giveaway.endsAt) throw new TippingRefusal('giveaway-over', {})
  const ordinal = await tx.giveawayEdit.count({ where: { giveawayId: giveaway.id } })
  const isSame = giveaway.prize === before.prize && giveaway.winners === before.winners
  if (ordinal !== revision || !isSame) throw new TippingRefusal('giveaway-changed', {})
  mustOnlyGrow(context, giveaway, command)
  const { endsAt = giveaway.endsAt } = command
  const beaconRound = giveaway.beaconRound === null ? null : roundOfDraw(context.beacons.chain, endsAt.getTime())
  await tx.giveaway.update({
    where: { id: giveaway.id, state: 'open' },
    data: { prize, winners, endsAt, beaconRound },
  })
  const was = { prizeBefore: giveaway.prize, winnersBefore: giveaway.winners, endsAtBefore: giveaway.endsAt }
  await tx.giveawayEdit.create({
    data: { id, giveawayId: giveaway.id, ordinal, member, ...was, prize, winners, endsAt, createdAt: at },
  })
  await schedulePoll(tx, { id: giveaway.id, kind: 'giveaway', bornAt: giveaway.createdAt }, endsAt)
  await context.cards.raise(tx, [giveaway.card])
  // The value noted at the start of the giveaway is not this prize's value.
  if (prize !== giveaway.prize) await tx.card.updateMany({ where: { id: giveaway.card }, data: { asked: null } })
  if (giveaway.guild === null) return
  const amount = costOf(giveaway, command)
  const about = {
    giveaway: giveaway.id,
    ...(amount > 0n && { amount }),
    ...(member !== giveaway.starter && { of: giveaway.starter }),
    before: { prize: giveaway.prize, winners: giveaway.winners, endsAt: giveaway.endsAt.toISOString() },
    after: { prize, winners, endsAt: endsAt.toISOString() },
  }
  await logModeration(context, tx, { guild: giveaway.guild, member, action: 'giveaway-edited', about })
}
