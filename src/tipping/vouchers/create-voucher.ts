import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats, sats } from '../../lib/money/amount.ts'
import { within } from '../core/activity.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import { isAll, isRelative, readAmount } from '../core/read-amount.ts'
import { MAX_DESCRIPTION } from '../core/settings.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import { awaitedReward, spendPool } from '../engine/spending/spend-pool.ts'
import {
  type AwaitedReward,
  type FromPool,
  type Funding,
  fromBalance,
  type PoolSpending,
} from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { reserveVoucher } from './reserve-voucher.ts'
import { readVoucherView } from './view-voucher.ts'
import { largestVoucher, voucherFeeLimit } from './voucher-fee.ts'
import { VOUCHERS } from './voucher-kind.ts'
import type { VoucherCommand, VoucherGift, VoucherView } from './vouchers.ts'

/** Reserves a voucher's amount and fee in the member's balance, and has the provider make its code. */
export async function createVoucher(context: TippingContext, command: VoucherCommand): Promise<VoucherView> {
  return await readVoucherView(context, await performOnce(context, command))
}

/** Creates a voucher from a server's pool, or reserves its cost until a second moderator decides. */
export async function createVoucherFromPool(
  context: TippingContext,
  command: VoucherCommand,
): Promise<VoucherView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await readVoucherView(context, id))
}

/** Makes an approved voucher's code, paid for from `funding`. */
export async function createApproved(
  context: TippingContext,
  command: VoucherCommand,
  funding: Funding,
): Promise<void> {
  await performOnce(context, command, funding)
}

/** Performs the command once. Resolves to the id of the voucher, or of the reward that waits for a second moderator. */
async function performOnce(context: TippingContext, command: VoucherCommand, approved?: Funding): Promise<string> {
  const { member, amount, description, recipient, pool, origin } = command
  const content = [member, amount, description, recipient?.id, ...(pool === undefined ? [] : [pool.reason])]
  return await context.once.perform({ interaction: origin.interaction, verb: 'voucher', content }, (digest) =>
    perform(context, command, digest, approved),
  )
}

/** Throws TippingRefusal if vouchers are not offered, or outgoing payments are paused. */
export function needVouchers(context: TippingContext): void {
  if (!context.replaysKeys()) throw new TippingRefusal('vouchers-not-offered', {})
  context.outgoingSwitch.assertOutgoingEnabled()
}

async function perform(
  context: TippingContext,
  command: VoucherCommand,
  digest: string,
  approved: Funding | undefined,
): Promise<string> {
  needVouchers(context)
  const description = command.description ?? ''
  if (description.length > MAX_DESCRIPTION) {
    throw new TippingRefusal('text-too-long', { what: 'description', most: MAX_DESCRIPTION })
  }
  if (command.recipient?.bot) throw new TippingRefusal('tip-to-bot', {})
  const request = { ...command, description: description.toWellFormed().replaceAll('\0', ''), digest }
  const { pool, member, accountSince, origin } = command
  if (pool !== undefined) return await performFromPool(context, request, pool, approved)
  const { guild } = origin
  const limits = await context.limits.limitsFor(guild)
  for (let attempt = 0; ; attempt += 1) {
    const amount = await amountOf(context, command)
    const funding = fromBalance(member, (tx) =>
      spendAllowance(context, tx, { member, guild, amount, limits, accountSince }),
    )
    try {
      return await reserve(context, request, amount, funding)
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error
      if (isRelative(command.amount) && attempt < 5) continue
      const feeLimit = voucherFeeLimit(amount)
      const needed = msats(amount + feeLimit)
      const missing = msats(error.missing)
      throw new TippingRefusal('insufficient-with-fee', { balance: msats(needed - missing), needed, missing, feeLimit })
    }
  }
}

async function performFromPool(
  context: TippingContext,
  request: VoucherRequest,
  pool: FromPool,
  approved: Funding | undefined,
): Promise<string> {
  const { digest, ...command } = request
  const { member, recipient, origin } = command
  if (recipient?.id === member) throw new TippingRefusal('reward-to-self', {})
  const { settings, rates } = context
  const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)
  const amount = readAmount(command.amount, { smallest, largest: settings.maxAmount, rates })
  if (approved !== undefined) return await reserve(context, request, amount, approved)
  const gift: VoucherGift = { kind: 'voucher', command: { ...command, amount: `${amount} msats` } }
  const spending: PoolSpending = {
    ...{ kind: 'voucher', member, pool, gift, origin, digest, isPrivate: true },
    amount: msats(amount + voucherFeeLimit(amount)),
    shares: recipient === undefined ? [] : [{ recipient: recipient.id, amount }],
  }
  return await spendPool(context, spending, (funding) => reserve(context, request, amount, funding))
}

/** Reads the typed amount of a voucher. `all` is the largest voucher that leaves room for its fee. */
async function amountOf(context: CoreContext, { member, amount }: VoucherCommand): Promise<Msats> {
  const { settings, ledger, rates } = context
  const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)
  const balance = msats(await ledger.balance(memberAccount(member)))
  const spendable = isAll(amount) ? largestVoucher(balance) : balance
  return readAmount(amount, { smallest, largest: settings.maxAmount, rates }, spendable)
}

interface VoucherRequest extends VoucherCommand {
  readonly description: string
  readonly digest: string
}

async function reserve(
  context: TippingContext,
  request: VoucherRequest,
  amount: Msats,
  funding: Funding,
): Promise<string> {
  const { member, description, recipient, origin, digest } = request
  const [card, at] = [context.entropy.uuid(), now(context)]
  const { id, entry, operation, row } = reserveVoucher(context, {
    member,
    amount,
    pool: funding.pool,
    description,
    // A voucher for its own maker is not a gift.
    ...(recipient && recipient.id !== member ? { recipient: recipient.id } : {}),
    card,
    command: { interaction: origin.interaction, digest },
    at,
  })
  await context.commit({
    entries: [...funding.entries, entry],
    rows: [operation, row, context.cards.row({ id: card, kind: 'voucher', record: id, audience: { member }, origin })],
    write: async (tx) => {
      await funding.write(tx, { id, card })
      await noteMember(tx, member, at)
    },
  })
  const made = context.activity.run('voucher', () => sendReserved(context, VOUCHERS, id))
  await within(context.clock, made, context.settings.payoutTimeoutMs)
  return id
}
