import { ceilToSat, msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { DryRunEnded } from '../core/dry-run-ended.ts'
import { isRelative } from '../core/read-amount.ts'
import { type RefusalFacts, TippingRefusal } from '../core/tipping-refusal.ts'
import { openDeposit } from '../deposits/open-deposit.ts'
import { openForMs } from '../deposits/poll-deposit.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import { chooseRecipients } from '../engine/gifts/recipients.ts'
import { checkAllowance } from '../engine/gifts/spend-allowance.ts'
import { smallestCharge } from '../engine/incoming/create-charge.ts'
import type { Command } from '../engine/once-only/once-only.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { MessageTipCommand, MessageTipsView, ReactionCommand } from '../message-tips/message-tips.ts'
import { askToTipMessage, giftOf, onceOfMessageTip, tipMessage, tipOfReaction } from '../message-tips/tip-message.ts'
import { viewMessageTips } from '../message-tips/view-message-tips.ts'
import { askTip } from '../tips/ask-tip.ts'
import { onceOfTip } from '../tips/send-tip.ts'
import { TIP_GIFTS, type TipGift } from '../tips/tip-gifts.ts'
import type { TipView } from '../tips/tips.ts'
import type { Announced, InvoicedTipView } from './invoiced-tips.ts'
import { writeStoredTip } from './stored-tip.ts'
import { tipByHand } from './tip-by-hand.ts'
import { viewInvoicedTip } from './view-invoiced-tip.ts'

/**
 * How long an invoice for a tip can be paid. Later, other people may be present, or the giver may have changed their
 * mind.
 */
const INVOICE_LIVES_MS = 3_600_000

/**
 * Sends a tip, requests its confirmation, or opens an invoice for the whole or the missing part of its cost. Throws
 * TippingRefusal.
 */
export async function askOrInvoice(
  context: TippingContext,
  { announced, ...command }: TipCommand & Announced,
): Promise<TipView | PendingTip | InvoicedTipView | PaymentByHand> {
  const byHand = await tipByHand(context, { ...command, announced })
  if (byHand !== undefined) return byHand
  const gift: TipGift = { kind: 'tip', command }
  return await orInvoice(context, () => askTip(context, command), { gift, announced, once: onceOfTip(command) })
}

/** Does the same as `askOrInvoice`, for a message's tip. */
export async function askOrInvoiceMessage(
  context: TippingContext,
  { announced, ...command }: MessageTipCommand & Announced,
): Promise<MessageTipsView | PendingTip | InvoicedTipView> {
  const tip = { gift: giftOf(command), announced, once: onceOfMessageTip(command) }
  return await orInvoice(context, () => askToTipMessage(context, command), tip)
}

/** Sends a reaction's tip, or opens an invoice for the missing sum; undefined if the reaction gives nothing. */
export async function reactOrInvoice(
  context: TippingContext,
  { announced, ...reaction }: ReactionCommand & Announced,
): Promise<MessageTipsView | InvoicedTipView | undefined> {
  if (await context.once.has(reaction.origin.interaction)) return await viewMessageTips(context, reaction.message)
  const command = await tipOfReaction(context, reaction)
  if (command === undefined) return undefined
  const tip = { gift: giftOf(command), announced, once: onceOfMessageTip(command) }
  return await orInvoice(context, () => tipMessage(context, command), tip)
}

interface TipToInvoice {
  readonly gift: TipGift
  /** The origin of the tip's own card. */
  readonly announced: Origin
  /** The command's unique key, with which the command gives only once, no matter how it is paid. */
  readonly once: Command
}

async function orInvoice<Given extends object>(
  context: TippingContext,
  give: () => Promise<Given>,
  tip: TipToInvoice,
): Promise<Given | InvoicedTipView> {
  try {
    const given = await give()
    return 'asked' in given ? ((await openInvoice(context, tip.once)) ?? given) : given
  } catch (error) {
    if (!(error instanceof TippingRefusal && error.code === 'insufficient-funds')) throw error
    // `all` of a balance has no sum to pay.
    if (isRelative(tip.gift.command.amount)) throw error
    return await invoice(context, tip, error)
  }
}

/**
 * Returns a command's invoice while it is open. A command that is delivered again when the balance covers it shows this
 * invoice instead of a confirmation, so that nobody both pays and confirms. Throws TippingRefusal `already-done` if the
 * tip was sent, or if the invoice is still being created.
 */
async function openInvoice(context: ReadonlyBook, { interaction }: Command): Promise<InvoicedTipView | undefined> {
  const { read } = context.database
  const tip = await read.invoicedTip.findFirst({ where: { interaction } })
  if (tip === null || tip.state === 'kept') return undefined
  const deposit = await read.deposit.findUnique({ where: { id: tip.id } })
  if (tip.state === 'sent' || deposit?.state === 'creating') throw new TippingRefusal('already-done', {})
  return deposit?.state === 'open' ? await viewInvoicedTip(context, tip.id) : undefined
}

/**
 * Opens a command's invoice, or finds the existing one. If no invoice is possible, throws the refusal that the giver is
 * shown.
 */
async function invoice(context: TippingContext, tip: TipToInvoice, short: TippingRefusal): Promise<InvoicedTipView> {
  const { gift, once } = tip
  const { from, origin } = gift.command
  const { exact, total, missing } = await priceOf(context, tip)
  if (missing <= 0n) throw short
  if (context.isDryRun) throw new DryRunEnded(true)
  const [whole, smallest] = [ceilToSat(msats(missing)), smallestCharge(context)]
  const amount = whole > smallest ? whole : smallest
  const createdAt = now(context)
  const lives = Math.min(INVOICE_LIVES_MS, openForMs(context))
  const { id } = await openDeposit(
    context,
    // The typed worth is the whole tip's, so an invoice for a part of it does not show it.
    { member: from, amount: `${amount} msats`, origin: missing === total ? origin : { ...origin, asked: undefined } },
    {
      once: { interaction: `invoice ${once.interaction}`, content: [once.verb, ...once.content] },
      closesAt: new Date(createdAt.getTime() + lives),
      async write(tx, deposit) {
        // The other of two simultaneous deliveries was asked to confirm.
        if ((await tx.pendingTip.findUnique({ where: { id: once.interaction } })) !== null) throw short
        const stored = { interaction: once.interaction, gift: writeStoredTip({ once, gift: exact }) }
        await tx.invoicedTip.create({
          data: { id: deposit, member: from, ...stored, total, state: 'waiting', because: null, createdAt },
        })
      },
    },
  ).catch((error) => {
    // Givers see refusals on which they can act, and that the bot is to end. Otherwise they see only what is missing.
    if (!(error instanceof TippingRefusal)) throw error
    if (error.code === 'too-many-open-deposits') {
      const { most, until } = error.facts as RefusalFacts['too-many-open-deposits']
      const { balance, needed } = short.facts as RefusalFacts['insufficient-funds']
      throw new TippingRefusal('too-many-unpaid-tips', { most, until, balance, needed })
    }
    throw error.code === 'winding-down' ? error : short
  })
  const view = await viewInvoicedTip(context, id)
  if (view?.state !== 'waiting') throw short
  return view
}

/**
 * Returns the tip with a fixed cost, its total, and the sum that the giver lacks. Throws TippingRefusal if the tip
 * would be refused even if the invoice were paid.
 */
async function priceOf(context: TippingContext, { gift, announced }: TipToInvoice) {
  const { command } = gift
  const { from, accountSince, byEmoji, origin } = command
  const balance = msats(await context.ledger.balance(memberAccount(from)))
  const [count, share] = await TIP_GIFTS.shared(context, gift, balance)
  const total = msats(share * BigInt(count))
  const limits = await context.limits.limitsFor(origin.guild)
  const spending = { member: from, guild: origin.guild, amount: total, limits, accountSince, byEmoji }
  await checkAllowance(context, context.database.read, spending)
  // Store the present recipients, because other people may have a role later.
  const to = chooseRecipients(command, context.settings).map((id) => ({ id, bot: false }))
  const fixed = { ...gift, command: { ...command, to, origin: { ...announced, interaction: origin.interaction } } }
  return { exact: TIP_GIFTS.exact(fixed, share, 'balance'), total, missing: total - balance }
}
