import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats, sats } from '../../lib/money/amount.ts'
import { pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { MAX_DESCRIPTION } from '../core/settings.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import { awaitedReward, spendPool } from '../engine/spending/spend-pool.ts'
import { type AwaitedReward, type Funding, fromBalance, type PoolSpending } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { needVouchers } from './create-voucher.ts'
import { makeCodes } from './make-codes.ts'
import { POLL_BATCH_MS } from './poll-batch.ts'
import { reserveVoucher } from './reserve-voucher.ts'
import { viewBatch } from './view-batch.ts'
import {
  type BatchCommand,
  type BatchGift,
  MAX_BATCH,
  MAX_BATCH_DAYS,
  type VoucherBatchView,
} from './voucher-batches.ts'
import { voucherFeeLimit } from './voucher-fee.ts'

const DAY_MS = 24 * 3_600_000

/** Reserves all codes of a batch in one debit of the member's balance, and starts making them. */
export async function createBatch(context: TippingContext, command: BatchCommand): Promise<VoucherBatchView> {
  return await viewBatch(context, await performOnce(context, command))
}

/** Creates a batch from a server's pool, or reserves its cost until a second moderator decides. */
export async function createBatchFromPool(
  context: TippingContext,
  command: BatchCommand,
): Promise<VoucherBatchView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await viewBatch(context, id))
}

/** Starts an approved batch, paid for from `funding`. */
export async function createApprovedBatch(
  context: TippingContext,
  command: BatchCommand,
  funding: Funding,
): Promise<void> {
  await performOnce(context, command, funding)
}

/** Performs the command once. Resolves to the id of the batch, or of the reward that waits for a second moderator. */
async function performOnce(context: TippingContext, command: BatchCommand, approved?: Funding): Promise<string> {
  const { member, amount, count, description, days, pool, origin } = command
  const content = [member, amount, count, description, days, ...(pool === undefined ? [] : [pool.reason])]
  return await context.once.perform({ interaction: origin.interaction, verb: 'voucher-batch', content }, (digest) =>
    perform(context, command, digest, approved),
  )
}

async function perform(
  context: TippingContext,
  command: BatchCommand,
  digest: string,
  approved: Funding | undefined,
): Promise<string> {
  needVouchers(context)
  mustBeInRange(command)
  const { settings, rates } = context
  const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)
  const amount = readAmount(command.amount, { smallest, largest: settings.maxAmount, rates })
  const batch = { command, amount, digest }
  if (approved !== undefined) return await reserve(context, batch, approved)
  if (command.pool === undefined) return await performFromBalance(context, batch)
  const { member, pool, origin } = command
  const gift: BatchGift = { kind: 'vouchers', command: { ...command, amount: `${amount} msats` } }
  const spending: PoolSpending = {
    ...{ kind: 'vouchers', member, pool, gift, origin, digest, isPrivate: true, shares: [] },
    amount: costOf(batch),
  }
  return await spendPool(context, spending, (funding) => reserve(context, batch, funding))
}

interface NewBatch {
  readonly command: BatchCommand
  /** The amount of each code. */
  readonly amount: Msats
  readonly digest: string
}

/** Throws TippingRefusal unless the number of codes, the days and the description are within their limits. */
function mustBeInRange({ count, days, description = '' }: BatchCommand): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_BATCH)
    throw new TippingRefusal('voucher-count', { most: MAX_BATCH })
  if (days !== undefined && (!Number.isInteger(days) || days < 1 || days > MAX_BATCH_DAYS))
    throw new TippingRefusal('voucher-days', { most: MAX_BATCH_DAYS })
  if (description.length > MAX_DESCRIPTION)
    throw new TippingRefusal('text-too-long', { what: 'description', most: MAX_DESCRIPTION })
}

/** Returns the sum of all amounts and of the highest possible fees. */
function costOf({ amount, command: { count } }: NewBatch): Msats {
  return msats((amount + voucherFeeLimit(amount)) * BigInt(count))
}

async function performFromBalance(context: TippingContext, batch: NewBatch): Promise<string> {
  const { member, accountSince, count, origin } = batch.command
  const { guild } = origin
  const limits = await context.limits.limitsFor(guild)
  const amount = msats(batch.amount * BigInt(count))
  const funding = fromBalance(member, (tx) =>
    spendAllowance(context, tx, { member, guild, amount, limits, accountSince }),
  )
  try {
    return await reserve(context, batch, funding)
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error
    const [needed, missing] = [costOf(batch), msats(error.missing)]
    const feeLimit = msats(needed - amount)
    throw new TippingRefusal('insufficient-for-batch', { balance: msats(needed - missing), needed, missing, feeLimit })
  }
}

/** Fills the batch's pot in one debit and reserves each code's part from the pot, all in one change. */
async function reserve(context: TippingContext, batch: NewBatch, funding: Funding): Promise<string> {
  const { command, amount, digest } = batch
  const { member, count, days, origin } = command
  const description = (command.description ?? '').toWellFormed().replaceAll('\0', '')
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const expiresAt = days === undefined ? null : new Date(context.clockWatch.now() + days * DAY_MS)
  const vouchers = Array.from({ length: count }, (_, index) =>
    reserveVoucher(context, {
      ...{ member, amount, pool: funding.pool, description, card, at },
      batch: { id, number: index + 1 },
    }),
  )
  const debit = { from: funding.account, to: pot(id), amount: costOf(batch) }
  await context.commit({
    entries: [
      ...funding.entries,
      { operation: id, step: 'reserve', moves: [debit] },
      ...vouchers.map(({ entry }) => entry),
    ],
    rows: [
      operationRow({ id, verb: 'voucher-batch', record: id, interaction: origin.interaction, digest, createdAt: at }),
      ...vouchers.flatMap(({ operation, row }) => [operation, row]),
      context.cards.row({ id: card, kind: 'voucher-batch', record: id, audience: { member }, origin }),
    ],
    write: async (tx) => {
      await funding.write(tx, { id, card })
      await noteMember(tx, member, at)
      const about = { id, member, guild: origin.guild, card, amount, count, description, pool: funding.pool }
      await tx.voucherBatch.create({ data: { ...about, state: 'open', expiresAt, createdAt: at } })
      const job = { id, kind: 'voucher-batch', bornAt: at } as const
      await schedulePoll(tx, job, new Date(context.clock.now() + POLL_BATCH_MS))
    },
  })
  makeCodes(
    context,
    vouchers.map((voucher) => voucher.id),
  )
  void context.poller.wake()
  return id
}
