import { ceilToSat, type Msats, sats, ZERO } from '../../lib/money/amount.ts'
import { readPasted } from '../../lib/pasted-text.ts'
import { type CoreContext, now } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { NOT_FORWARDED, scheduleForward } from '../engine/gifts/onward.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { wakePromises } from '../engine/own-wallets/promise-book.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { mustBeElsewhere } from './conditions.ts'
import { type Address, invoiceOf, offerOf } from './fetch-invoice.ts'
import { MIN_FORWARD, viewForwarding } from './forward-state.ts'
import type { Forwarding, ForwardingView } from './forwarding.ts'
import { readAddress } from './read-destination.ts'

/** Forwards a member's tips to a Lightning Address that answers. Ends the member's link, if there is one. */
export async function startForwarding(
  context: TippingContext,
  { member, address: typed }: Parameters<Forwarding['start']>[0],
): Promise<ForwardingView> {
  const address = readAddress(context, typed)
  await mustBeElsewhere(context, address.name)
  await mustMakeInvoices(context, { ...address, member })
  const at = now(context)
  await context.commit({
    write: async (tx) => {
      await noteMember(tx, member, at)
      const before = await tx.member.findUniqueOrThrow({ where: { id: member } })
      // If the address is the same, the due sum stays due, and is tried at once.
      const same = before.forwardTo === address.name ? { forwardDue: before.forwardDue } : {}
      await tx.member.update({ where: { id: member }, data: { ...NOT_FORWARDED, ...same, forwardTo: address.name } })
      await tx.link.updateMany({ where: { member, endedAt: null }, data: { endedAt: at } })
      await scheduleForward(tx, member, at)
    },
  })
  void context.poller.wake()
  await wakePromises(context, member)
  const view = await viewForwarding(context, member)
  if (view === undefined) throw new TippingRefusal('not-linked', {})
  return view
}

/**
 * Tests an address by requesting an invoice, which nobody pays: an address that answers may still return no payable
 * invoice.
 */
async function mustMakeInvoices(context: CoreContext, address: Address): Promise<void> {
  const offer = await offerOf(context, address)
  const amount = offer.min > MIN_FORWARD ? ceilToSat(offer.min) : MIN_FORWARD
  if (amount <= offer.max) return void (await invoiceOf(context, address, offer, amount))
  throw new TippingRefusal('address-range', { address: address.name, smallest: offer.min, largest: offer.max })
}

/**
 * Sets how much stays in a member's balance before tips are forwarded to a Lightning account or a Lightning Address.
 */
export async function keepHere(
  context: TippingContext,
  { member, amount: typed }: Parameters<Forwarding['keep']>[0],
): Promise<Msats> {
  const limits = { smallest: sats(1), largest: context.settings.maxAmount, rates: context.rates }
  const amount = /^0+$/.test(readPasted(typed)) ? ZERO : readAmount(typed, limits)
  await context.commit({
    write: async (tx) => {
      const owner = await tx.member.findFirst({ where: { id: member } })
      const link = await tx.link.findFirst({ where: { member, endedAt: null } })
      if (link === null && owner?.forwardTo == null) throw new TippingRefusal('not-linked', {})
      await tx.member.update({ where: { id: member }, data: { keepHere: amount } })
      if (owner?.forwardTo != null) await scheduleForward(tx, member, now(context))
    },
  })
  void context.poller.wake()
  return amount
}
