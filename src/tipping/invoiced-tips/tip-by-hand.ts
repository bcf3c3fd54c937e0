import { LnurlProblem } from '../../lib/lightning/lnurl-client.ts'
import { ZERO } from '../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { DryRunEnded } from '../core/dry-run-ended.ts'
import { boundsOf } from '../core/gift-limits.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import { chooseRecipients } from '../engine/gifts/recipients.ts'
import { checkAllowance, type Spending, spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { splitAmount } from '../engine/gifts/split-amount.ts'
import { operationValues } from '../engine/once-only/once-only.ts'
import { type Receiver, receiversOf, walletThatPays, writeReceiver } from '../engine/own-wallets/connections.ts'
import { isProvable } from '../engine/own-wallets/evidence.ts'
import { invoiceOfReceiver, NoInvoice } from '../engine/own-wallets/invoice-of-receiver.ts'
import { BY_HAND, INVOICE_CARD } from '../engine/own-wallets/pay-by-hand.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'
import { viewByHand } from '../engine/own-wallets/view-by-hand.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { onceOfTip } from '../tips/send-tip.ts'
import { tipValues } from '../tips/tip-values.ts'
import { MAX_NOTE } from '../tips/tips.ts'
import type { Announced } from './invoiced-tips.ts'

/**
 * The most unpaid codes of one giver. Their number is limited because each is an invoice from somebody else's wallet.
 */
export const MAX_UNPAID_CODES = 5
const FIRST_LOOK_AFTER_MS = 2_000

/**
 * Handles a tip in a bot without balances: a giver without a connected wallet gets the recipient's own invoice, which
 * any wallet can pay. Nobody else sees the tip until the recipient's side proves that it was paid. Resolves to
 * undefined for every other tip, such as one that the giver's wallet pays, one for several people, or one whose payment
 * the recipient's side could not report. Throws TippingRefusal.
 */
export async function tipByHand(
  context: TippingContext,
  { announced, ...command }: TipCommand & Announced,
): Promise<PaymentByHand | undefined> {
  if (context.settings.custody !== 'none') return undefined
  const once = onceOfTip(command)
  // A redelivered command keeps its outcome, no matter who has connected or disconnected a wallet since.
  const before = await context.once.recordOf(once)
  if (before !== undefined) return await shownFor(context, before)
  const receiver = await receiverByHand(context, command)
  if (receiver === undefined) return undefined
  const tip = await context.once.perform(once, (digest) => write(context, { command, announced, receiver, digest }))
  return await shownFor(context, tip)
}

/** Returns the view of a tip that is paid by hand; undefined for a tip from a wallet. */
async function shownFor(context: ReadonlyBook, tipId: string): Promise<PaymentByHand | undefined> {
  const payment = await context.database.read.walletPayment.findFirst({ where: { tipId, connection: BY_HAND } })
  return payment === null ? undefined : await viewByHand(context, payment.id)
}

async function receiverByHand(context: ReadonlyBook, command: TipCommand): Promise<Receiver | undefined> {
  const { read } = context.database
  const { from, amount, anonymous, pool, joins, ask } = command
  const isPlain = !anonymous && [pool, joins, ask].every((each) => each === undefined) && !isRelative(amount)
  if (!isPlain) return undefined
  if ((await walletThatPays(read, from)) !== undefined) return undefined
  const recipients = chooseRecipients(command, context.settings)
  const [recipient = ''] = recipients
  const receiver = recipients.length > 1 ? undefined : (await receiversOf(read, recipients)).get(recipient)
  if (receiver?.kind !== 'wallet') return receiver
  return (await isProvable(read, { receiver: writeReceiver(receiver), verify: null })) ? receiver : undefined
}

interface TipByHand extends Announced {
  readonly command: TipCommand
  readonly receiver: Receiver
  readonly digest: string
}

/** Gets the recipient's invoice, and then writes the tip. Without an invoice, nothing is shown or written. */
async function write(context: TippingContext, { command, announced, receiver, digest }: TipByHand): Promise<string> {
  const { from, note = '', accountSince, byEmoji, origin } = command
  if (note.length > MAX_NOTE) throw new TippingRefusal('text-too-long', { what: 'note', most: MAX_NOTE })
  const [recipient = ''] = chooseRecipients(command, context.settings)
  const limits = await context.limits.limitsFor(origin.guild)
  const amount = splitAmount(command, 1, boundsOf(context, limits), ZERO)
  const spending: Spending = { member: from, guild: origin.guild, amount, limits, accountSince, byEmoji }
  await checkAllowance(context, context.database.read, spending)
  await mustBeFew(context, context.database.read, from)
  if (context.isDryRun) throw new DryRunEnded(true)
  const parties = { sender: from, recipient, connection: BY_HAND, receiver: writeReceiver(receiver), amount }
  const fixed = await invoiceFor(context, parties)
  const at = now(context)
  const [id, payment, card, code] = [0, 1, 2, 3].map(() => context.entropy.uuid()) as [string, string, string, string]
  const about = { id: code, kind: INVOICE_CARD, record: payment, audience: { member: from }, origin } as const
  const toldLater = { id: card, kind: 'tip', record: id, audience: { channel: announced.channel } } as const
  await context.commit({
    // Everything is written here, so that simultaneous writes are seen and counted.
    write: async (tx) => {
      const { paymentHash } = fixed
      if ((await tx.walletPayment.findUnique({ where: { paymentHash } })) !== null) throw noInvoice(recipient)
      await mustBeFew(context, tx, from)
      await spendAllowance(context, tx, spending)
      const once = { verb: 'tip', record: id, interaction: origin.interaction, digest, createdAt: at }
      await tx.operation.create({ data: operationValues({ id: context.entropy.uuid(), ...once }) })
      await tx.tip.create({ data: tipValues(command, { id, total: amount, card, at }) })
      await tx.walletPayment.create({
        data: {
          ...{ id: payment, tipId: id, ordinal: 0, ...parties, ...fixed, createdAt: at },
          ...{ state: 'unknown', evidence: 'shown to its giver' },
        },
      })
      await tx.card.create({ data: context.cards.values(about) })
      // Raised as soon as it is paid.
      await tx.card.create({ data: { ...context.cards.values({ ...toldLater, origin: announced }), pending: false } })
      const firstLook = new Date(at.getTime() + FIRST_LOOK_AFTER_MS)
      await schedulePoll(tx, { id: payment, kind: 'wallet-payment', bornAt: at }, firstLook)
    },
  })
  void context.poller.wake()
  return id
}

async function mustBeFew({ clock }: ReadonlyBook, client: Pick<Tx, 'walletPayment'>, sender: string): Promise<void> {
  const isOpen = { state: 'unknown', expiresAt: { gt: new Date(clock.now()) } }
  const open = await client.walletPayment.count({ where: { sender, connection: BY_HAND, ...isOpen } })
  if (open >= MAX_UNPAID_CODES) throw new TippingRefusal('too-many-codes', { most: MAX_UNPAID_CODES })
}

type Parties = Parameters<typeof invoiceOfReceiver>[1]

async function invoiceFor(context: TippingContext, parties: Parties) {
  try {
    const { invoice, verify = null } = await invoiceOfReceiver(context, parties)
    // A payer without proof would give again.
    if (!(await isProvable(context.database.read, { ...parties, verify })))
      throw new TippingRefusal('own-wallet-needed', {})
    const { text, paymentHash, expiresAt } = invoice
    return { invoice: text, paymentHash, verify, expiresAt }
  } catch (error) {
    if (!(error instanceof NoInvoice)) throw error
    throw outsideOf(error.cause, parties) ?? noInvoice(parties.recipient)
  }
}

/**
 * Returns the refusal of an amount outside a Lightning Address's limits; undefined if the address's host refuses for
 * another reason.
 */
function outsideOf(cause: unknown, { amount }: Parties): TippingRefusal | undefined {
  if (!(cause instanceof LnurlProblem) || cause.fault.kind !== 'outside') return undefined
  const { smallest, largest } = cause.fault
  if (amount < smallest) return new TippingRefusal('amount-too-small', { smallest })
  return new TippingRefusal('amount-too-large', { largest })
}

function noInvoice(recipient: string): TippingRefusal {
  return new TippingRefusal('recipient-no-invoice', { members: [recipient] })
}
