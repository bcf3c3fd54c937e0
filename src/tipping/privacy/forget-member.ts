import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { NOT_FORWARDED } from '../engine/gifts/onward.ts'
import { askOnceMore } from '../engine/own-wallets/ask-once-more.ts'
import { showUnseen } from '../engine/own-wallets/pay-by-hand.ts'
import { changePromise } from '../engine/own-wallets/promise-book.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { addressRecipient } from '../rewards/address-recipients.ts'
import type { ListGift } from '../rewards/lists.ts'

const ENDED_WITHDRAWALS = ['paid', 'returned', 'cancelled']
const ENDED_REQUESTS = ['paid', 'reported', 'expired', 'failed']

/**
 * Deletes a member's data, but no sats. Payments stay as they are, because their invoices and hashes prove them and
 * prevent second payments. A Lightning account stored in a drop stays until the drop closes. One stored in a giveaway
 * stays permanently, because a giveaway's entries prove its draw.
 */
export async function forgetMember(context: TippingContext, member: string): Promise<void> {
  await askOnceMore(context, member)
  const forgottenAt = now(context)
  const { wallet, roles } = await context.commit({
    write: async (tx) => {
      await forgetListedAddress(tx, member)
      await forgetReceivingAddress(tx, member, forgottenAt)
      const unlinked = { ...NOT_FORWARDED, keepHere: 0n }
      const off = { receipts: false, hidden: true, reactionTip: null, emojiCeiling: null, language: null }
      const nothing = { ...unlinked, ...off, forgottenAt }
      await tx.member.upsert({
        where: { id: member },
        create: { id: member, seenAt: forgottenAt, ...nothing },
        update: nothing,
      })
      await tx.link.deleteMany({ where: { member } })
      const connection = await tx.walletConnection.findUnique({ where: { member } })
      if (connection !== null) await showUnseen(context, tx, connection, forgottenAt)
      await tx.walletConnection.deleteMany({ where: { member } })
      await tx.walletPass.deleteMany({ where: { member } })
      const roles = await context.roleConnections.forget(tx, member)
      await tx.presence.deleteMany({ where: { member } })
      await tx.pendingTip.deleteMany({ where: { member } })
      // A later payment for a waiting tip then fills the balance.
      await tx.invoicedTip.deleteMany({ where: { member, state: 'waiting' } })
      await tx.invoicedTip.updateMany({ where: { member }, data: { gift: '' } })
      await tx.operatorPass.deleteMany({ where: { operator: member } })
      await tx.operatorPasskey.deleteMany({ where: { operator: member } })
      await tx.card.updateMany({ where: { member }, data: { locale: null } })
      await closeAsks(context, tx, member, forgottenAt)
      await endPromises(context, tx, member)
      await deleteTexts(tx, member)
      await tx.dropClaim.updateMany({ where: { member, drop: { state: 'closed' } }, data: { lightningId: null } })
      return { wallet: connection?.id, roles }
    },
  })
  if (wallet !== undefined) context.wallets.connections.forget(wallet)
  context.roleConnections.forgotten(roles)
  context.preferences.forget(member)
}

/**
 * Deletes a member's Lightning Address from other people's lists and splits. The payments to that address stay in the
 * book, without the address.
 */
async function forgetListedAddress(tx: Tx, member: string): Promise<void> {
  const { forwardTo: address = null } = (await tx.member.findFirst({ where: { id: member } })) ?? {}
  if (address === null) return
  await tx.addressLine.updateMany({ where: { address, state: { not: 'waiting' } }, data: { address: '' } })
  // A payment to it that waits for a confirmation is asked about again, or not made.
  const recipient = addressRecipient(address)
  await tx.pendingTip.deleteMany({ where: { command: { contains: recipient } } })
  // A payment that waits for a second moderator can no longer be approved. Its sum goes back when it is denied.
  for (const { id, gift } of await tx.reward.findMany({ where: { state: 'asked', gift: { contains: recipient } } }))
    await tx.reward.update({ where: { id }, data: { gift: withoutAddress(gift, recipient) } })
  // Without the address nobody is paid by that split, until a moderator names everybody again.
  await tx.splitPart.updateMany({ where: { recipient }, data: { address: '' } })
  const ended = { pool: { not: null }, destination: address, state: { in: ENDED_WITHDRAWALS } }
  await tx.withdrawal.updateMany({ where: ended, data: { destination: '', successAction: null, preimage: null } })
}

/** Returns the list in a stored gift, without a recipient's destination. */
function withoutAddress(gift: string | null, recipient: string): string {
  const list = JSON.parse(gift ?? '') as ListGift
  const lines = list.command.lines.map((line) => (line.recipient === recipient ? { ...line, address: '' } : line))
  return JSON.stringify({ ...list, command: { ...list.command, lines } })
}

/** Deletes a member's Lightning Address from the ended payments of other members' and servers' wallets. */
async function forgetReceivingAddress(tx: Tx, member: string, at: Date): Promise<void> {
  // A failed payment is polled until its invoice expires.
  const over = [{ state: { in: ['paid', 'unconfirmed'] } }, { state: 'failed', expiresAt: null }]
  const late = { state: 'failed', expiresAt: { lt: at } }
  const receiver = { startsWith: 'address ' }
  await tx.walletPayment.updateMany({
    where: { recipient: member, receiver, OR: [...over, late] },
    data: { receiver: 'address ', verify: null },
  })
}

/** Ends the promises that a member has made, and the promises to that member. */
async function endPromises(context: TippingContext, tx: Tx, member: string): Promise<void> {
  const where = { state: 'promised', OR: [{ sender: member }, { recipient: member }] }
  for (const promise of await tx.walletPromise.findMany({ where }))
    await changePromise(context, tx, { promise, change: { state: promise.sender === member ? 'revoked' : 'lapsed' } })
}

/**
 * Closes a member's open asks, because their sats would go to somebody who is gone, and deletes the reasons of all the
 * member's asks.
 */
async function closeAsks(context: TippingContext, tx: Tx, member: string, endedAt: Date): Promise<void> {
  const open = await tx.ask.findMany({ where: { member, state: 'open' } })
  await tx.ask.updateMany({ where: { member, state: 'open' }, data: { state: 'closed', endedAt } })
  await tx.ask.updateMany({ where: { member }, data: { reason: '' } })
  await context.cards.raise(
    tx,
    open.map(({ card }) => card),
  )
}

/** Deletes the texts that a member typed, and the addresses that the member paid. */
async function deleteTexts(tx: Tx, member: string): Promise<void> {
  await tx.tip.updateMany({ where: { sender: member, pool: null }, data: { note: '' } })
  await tx.voucher.updateMany({ where: { member }, data: { description: '' } })
  await tx.voucherBatch.updateMany({ where: { member }, data: { description: '' } })
  await tx.drop.updateMany({ where: { member, state: 'closed' }, data: { puzzle: null, question: null, answer: null } })
  await tx.invoice.updateMany({
    where: { member, state: { in: ENDED_REQUESTS } },
    data: { description: '', gamertag: '' },
  })
  await tx.deposit.updateMany({ where: { member, state: { not: 'open' } }, data: { note: '' } })
  await tx.withdrawal.updateMany({
    where: { member, kind: 'address', state: { in: ENDED_WITHDRAWALS } },
    data: { destination: '', successAction: null, preimage: null },
  })
  await tx.addressLine.updateMany({ where: { member, state: { not: 'waiting' } }, data: { address: '' } })
  await tx.addressPayment.updateMany({ where: { address: { member } }, data: { comment: '', payer: '' } })
}
