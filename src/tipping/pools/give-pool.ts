import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pool } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip } from '../engine/gifts/gifts.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { noteProgress } from './close-fundraiser.ts'
import { POOL_GIFTS } from './pool-gift.ts'
import type { FundraiserGift, FundraiserView, PoolCommand, PoolGiftView } from './pools.ts'
import { readFundraiserView } from './view-pool.ts'

/** Gives sats from a member's balance to a server's pool. */
export async function givePool(context: TippingContext, command: PoolCommand): Promise<PoolGiftView> {
  const { guild, member, amount: text } = command
  const { minAmount: smallest, maxAmount: largest } = context.settings
  return await give(context, command, [guild, member, text], async () => {
    const balance = msats(await context.ledger.balance(memberAccount(member)))
    return { guild, amount: readAmount(text, { smallest, largest, rates: context.rates }, balance) }
  })
}

/**
 * The shortest pause between a member's gifts to a fundraiser. A second press within this time is refused as a mistake.
 */
const PAUSE_MS = 5_000

/**
 * Gives a fundraiser its suggested amount from a member's balance. Throws TippingRefusal `fundraiser-over` or
 * `cooling-down`.
 */
export async function giveToFundraiser(context: TippingContext, command: FundraiserGift): Promise<PoolGiftView> {
  const { fundraiser, member } = command
  return await give(context, command, [fundraiser, member], async () => {
    const { guild, amount } = await openOne(context, fundraiser)
    return { guild, amount, fundraiser }
  })
}

async function openOne(context: ReadonlyBook, fundraiser: string): Promise<FundraiserView> {
  const view = await readFundraiserView(context, fundraiser)
  if (view.state !== 'open') throw new TippingRefusal('fundraiser-over', {})
  return view
}

/**
 * Does the same as `givePool`, but above the server's confirmation limit moves nothing, and returns what the giver must
 * confirm.
 */
export async function askToGive(context: TippingContext, command: PoolCommand): Promise<PoolGiftView | PendingTip> {
  const asked = await requireConfirmation(context, POOL_GIFTS, command.origin, () => ({ kind: 'pool', command }))
  return asked ?? (await givePool(context, command))
}

/**
 * Does the same as `giveToFundraiser`, but above the server's confirmation limit moves nothing, and returns what the
 * giver must confirm.
 */
export async function askToGiveTo(
  context: TippingContext,
  command: FundraiserGift,
): Promise<PoolGiftView | PendingTip> {
  const asked = await requireConfirmation(context, POOL_GIFTS, command.origin, async () => {
    const { guild, amount } = await openOne(context, command.fundraiser)
    return { kind: 'pool' as const, command: { ...command, guild, amount: `${amount} msats` } }
  })
  return asked ?? (await giveToFundraiser(context, command))
}

/** Gives a confirmed gift only once, no matter how often the gift is confirmed. */
export async function confirmPoolGift(context: TippingContext, word: Confirmation): Promise<PoolGiftView> {
  const { command } = await pendingGift(context, POOL_GIFTS, word)
  return 'fundraiser' in command ? await giveToFundraiser(context, command) : await givePool(context, command)
}

async function mustPause(tx: Tx, fundraiserId: string, member: string, at: Date): Promise<void> {
  const before = await tx.poolGift.findFirst({
    where: { fundraiserId, member, createdAt: { gt: new Date(at.getTime() - PAUSE_MS), lte: at } },
    orderBy: { createdAt: 'desc' },
  })
  if (before !== null)
    throw new TippingRefusal('cooling-down', { until: new Date(before.createdAt.getTime() + PAUSE_MS) })
}

interface Gift {
  readonly guild: string
  readonly amount: Msats
  readonly fundraiser?: string
}

async function give(
  context: TippingContext,
  { member, origin }: Pick<PoolCommand, 'member' | 'origin'>,
  content: readonly unknown[],
  choose: () => Promise<Gift>,
): Promise<PoolGiftView> {
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'give', content }, async (digest) => {
    const gift = await choose()
    const [id, createdAt] = [context.entropy.uuid(), now(context)]
    const { guild, amount, fundraiser } = gift
    try {
      await context.commit({
        entries: [{ operation: id, step: 'post', moves: [{ from: memberAccount(member), to: pool(guild), amount }] }],
        rows: [operationRow({ id, verb: 'give', record: id, interaction: origin.interaction, digest, createdAt })],
        write: async (tx) => {
          if (fundraiser !== undefined) await mustPause(tx, fundraiser, member, createdAt)
          // Written here, not with the rows, so that a second press in the same transaction sees it.
          await tx.poolGift.create({ data: { id, guild, member, amount, fundraiserId: fundraiser ?? null, createdAt } })
          await noteMember(tx, member, createdAt)
          await logModeration(context, tx, {
            guild,
            member,
            action: 'fund',
            about: { amount, from: 'balance', fundraiser },
          })
          if (fundraiser === undefined) return
          const where = { id: fundraiser, state: 'open' }
          const { count } = await tx.fundraiser.updateMany({ where, data: { given: { increment: amount } } })
          if (count === 0) throw new TippingRefusal('fundraiser-over', {})
          await noteProgress(context, tx, fundraiser)
        },
      })
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error
      const missing = msats(error.missing)
      throw new TippingRefusal('insufficient-funds', { balance: msats(amount - missing), needed: amount, missing })
    }
    return id
  })
  void context.poller.wake()
  const gift = await context.database.read.poolGift.findUniqueOrThrow({ where: { id } })
  return { member, amount: msats(gift.amount), pool: msats(await context.ledger.balance(pool(gift.guild))) }
}
