import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats, sats } from '../../lib/money/amount.ts'
import { within } from '../core/activity.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { isAll, isRelative, readAmount } from '../core/read-amount.ts'
import { MAX_DESCRIPTION } from '../core/settings.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { reserveVoucher } from './reserve-voucher.ts'
import { readVoucherView } from './view-voucher.ts'
import { largestVoucher, voucherFeeLimit } from './voucher-fee.ts'
import { VOUCHERS } from './voucher-kind.ts'
import type { VoucherCommand, VoucherView } from './vouchers.ts'

/** Reserves a voucher's amount and fee in the member's balance, and has the provider make its code. */
export async function createVoucher(context: TippingContext, command: VoucherCommand): Promise<VoucherView> {
  const { member, amount, description, recipient, origin } = command
  const content = [member, amount, description, recipient?.id]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'voucher', content }, (digest) =>
    perform(context, command, digest),
  )
  return await readVoucherView(context, id)
}

/** Throws TippingRefusal when vouchers cannot be had, or not now. */
export function needVouchers(context: TippingContext): void {
  if (!context.replaysKeys()) throw new TippingRefusal('vouchers-not-offered', {})
  context.outgoingSwitch.assertOutgoingEnabled()
}

async function perform(context: TippingContext, command: VoucherCommand, digest: string): Promise<string> {
  needVouchers(context)
  const description = command.description ?? ''
  if (description.length > MAX_DESCRIPTION) {
    throw new TippingRefusal('text-too-long', { what: 'description', most: MAX_DESCRIPTION })
  }
  if (command.recipient?.bot) throw new TippingRefusal('tip-to-bot', {})
  const request = { ...command, description: description.toWellFormed().replaceAll('\0', ''), digest }
  for (let attempt = 0; ; attempt += 1) {
    const amount = await amountOf(context, command)
    try {
      return await reserve(context, request, amount)
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

/** `all` is the largest voucher whose fee can be paid as well. */
async function amountOf(context: TippingContext, { member, amount }: VoucherCommand): Promise<Msats> {
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

async function reserve(context: TippingContext, request: VoucherRequest, amount: Msats) {
  const { member, description, recipient, accountSince, origin, digest } = request
  const limits = await context.limits.limitsFor(origin.guild)
  const [card, at] = [context.entropy.uuid(), now(context)]
  const { id, entry, operation, row } = reserveVoucher(context, {
    member,
    amount,
    description,
    // For oneself it is no gift.
    ...(recipient && recipient.id !== member ? { recipient: recipient.id } : {}),
    card,
    command: { interaction: origin.interaction, digest },
    at,
  })
  await context.commit({
    entries: [entry],
    rows: [operation, row, context.cards.row({ id: card, kind: 'voucher', record: id, audience: { member }, origin })],
    write: async (tx) => {
      await spendAllowance(context, tx, { member, guild: origin.guild, amount, limits, accountSince })
      await noteMember(tx, member, at)
    },
  })
  const made = context.activity.run('voucher', () => sendReserved(context, VOUCHERS, id))
  await within(context.clock, made, context.settings.payoutTimeoutMs)
  return id
}
