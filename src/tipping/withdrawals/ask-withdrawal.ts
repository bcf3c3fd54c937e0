import type { Invoice } from '../../lib/lightning/bolt11.ts'
import type { PayableText } from '../../lib/lightning/bolt12.ts'
import { floorToSat, largestSendable, type Msats, msats, sats, ZERO } from '../../lib/money/amount.ts'
import { partOfBalance } from '../../lib/money/amount-text.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import { isAll, readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationValues } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { mustBeElsewhere, mustBeFree, mustCover } from './conditions.ts'
import { feeLimits } from './fee-limits.ts'
import { askAddress } from './fetch-invoice.ts'
import { fetchOfferInvoice } from './fetch-offer-invoice.ts'
import { invoiceOfGamertag } from './invoice-of-gamertag.ts'
import { mustHaveRoom } from './open-withdrawals.ts'
import { invoiceOfOwnWallet } from './own-wallet-invoice.ts'
import { type Destination, mustLive, readDestination } from './read-destination.ts'
import { viewWithdrawal } from './view-withdrawal.ts'
import type { WithdrawalKind, WithdrawalView, WithdrawCommand } from './withdrawals.ts'

/** Prepares a withdrawal, and checks everything possible before its member confirms it. Nothing moves. */
export async function askWithdrawal(context: TippingContext, command: WithdrawCommand): Promise<WithdrawalView> {
  const { member, amount = '', to = '', origin } = command
  const id = await context.once.perform(
    { interaction: origin.interaction, verb: 'withdraw', content: [member, amount, to] },
    (digest) => perform(context, command, digest),
  )
  return await viewWithdrawal(context, id)
}

/**
 * Prepares a withdrawal of the largest amount that can be sent to the member's connected wallet. Throws TippingRefusal
 * `own-wallet-no-invoice`.
 */
export async function askToMove(
  context: TippingContext,
  { member, origin }: Pick<WithdrawCommand, 'member' | 'origin'>,
): Promise<WithdrawalView> {
  const { interaction } = origin
  const id = await context.once.perform(
    { interaction, verb: 'withdraw', content: [member, 'all', 'own wallet'] },
    async (digest) => {
      const balance = msats(await context.ledger.balance(memberAccount(member)))
      // Whole sats, because some wallets refuse parts of a sat.
      const amount = floorToSat(readSendable(context, 'all', { balance, limitOf: await feeLimits(context) }))
      const to = await invoiceOfOwnWallet(context, member, amount)
      return await perform(context, { member, amount: `${amount} msats`, to, origin }, digest)
    },
  )
  return await viewWithdrawal(context, id)
}

async function perform(context: TippingContext, command: WithdrawCommand, digest: string): Promise<string> {
  const { member } = command
  context.outgoingSwitch.assertOutgoingEnabled()
  const destination = readDestination(context, command.to)
  const balance = msats(await context.ledger.balance(memberAccount(member)))
  const typed = command.amount ?? amountOf(destination)
  // A payment to the provider's own wallet stays inside it, so it is free.
  const isInside = destination.kind === 'gamertag' && context.replaysKeys()
  const limitOf = isInside ? () => ZERO : await feeLimits(context)
  const amount = readSendable(context, typed, { balance, limitOf })
  const limit = limitOf(amount)
  mustCover(balance, amount, limit, command.amount === undefined ? 'insufficient-for-invoice' : undefined)
  await mustHaveRoom(context, context.database.read, member)
  const id = context.entropy.uuid()
  const invoice = await mustBePayable(context, destination, { id, member, amount })
  const createdAt = now(context)
  await context.commit({
    write: async (tx) => {
      await noteMember(tx, member, createdAt)
      const interaction = command.origin.interaction
      await tx.operation.create({
        data: operationValues({ id, verb: 'withdraw', record: id, interaction, digest, createdAt }),
      })
      await tx.withdrawal.create({
        data: {
          id,
          member,
          kind: kindOf(destination),
          amount,
          feeLimit: limit,
          everything: isAll(typed),
          destination: nameOf(destination),
          ...(invoice !== undefined && { invoice: invoice.text, paymentHash: invoice.paymentHash }),
          state: 'asked',
          key: `withdrawal-${id}`,
          createdAt,
        },
      })
    },
  })
  return id
}

/** Returns the kind of a withdrawal. An offer counts as an invoice, and a Bitcoin name or a gamertag as an address. */
function kindOf(destination: Destination): WithdrawalKind {
  if (destination.kind === 'gamertag') return 'address'
  if (destination.kind !== 'offer') return destination.kind
  return destination.name === undefined ? 'invoice' : 'address'
}

function nameOf(destination: Destination): string | null {
  if (destination.kind === 'address') return destination.name
  if (destination.kind === 'gamertag') return `@${destination.gamertag}`
  return destination.kind === 'offer' && destination.name !== undefined ? destination.to : null
}

/**
 * Returns the amount of an invoice or offer, which a person who pastes it need not type. Throws TippingRefusal
 * `amount-missing`.
 */
function amountOf(destination: Destination): string {
  const { kind } = destination
  const amount =
    kind === 'invoice' ? destination.invoice.amount : kind === 'offer' ? destination.offer?.amount : undefined
  if (amount === undefined) throw new TippingRefusal('amount-missing', {})
  return `${amount} msats`
}

/**
 * Reads the typed amount. `all` is the largest amount that leaves room for its fee limit; a percentage is a part of the
 * balance.
 */
function readSendable(
  { settings, rates }: CoreContext,
  text: string,
  { balance, limitOf }: { readonly balance: Msats; readonly limitOf: (amount: Msats) => Msats },
): Msats {
  const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)
  const limits = { smallest, largest: settings.maxAmount, rates }
  const part = partOfBalance(text, balance)
  if (part === undefined) return readAmount(text, limits, balance)
  const requested = isAll(text) ? largestSendable(balance, limitOf) : part
  const amount = requested > settings.maxAmount ? settings.maxAmount : requested
  if (amount > smallest) return amount
  mustCover(balance, smallest, limitOf(smallest), 'too-little-to-withdraw')
  return smallest
}

/**
 * Checks that a destination can be paid. Resolves to its invoice, which is requested now for an offer or a gamertag;
 * undefined for a code to scan, and for an address, whose invoice is fetched later.
 */
async function mustBePayable(
  context: TippingContext,
  destination: Destination,
  { id, member, amount }: { readonly id: string; readonly member: string; readonly amount: Msats },
): Promise<PayableText | undefined> {
  switch (destination.kind) {
    case 'request':
      return undefined
    case 'address':
      await mustBeElsewhere(context, destination.name)
      await askAddress(context, { ...destination, member }, amount)
      return undefined
    case 'offer':
      return fetchOfferInvoice(context, destination, { member, amount })
    case 'gamertag': {
      const { gamertag } = destination
      const invoice = await invoiceOfGamertag(context, { gamertag, amount, key: `withdrawal-${id}-invoice` })
      await mustBeGood(context, invoice, amount)
      return invoice
    }
    case 'invoice':
      await mustBeGood(context, destination.invoice, amount)
      return destination.invoice
  }
}

async function mustBeGood(context: CoreContext, invoice: Invoice, amount: Msats): Promise<void> {
  if (invoice.amount !== undefined && invoice.amount !== amount) {
    throw new TippingRefusal('invoice-amount-differs', { asked: amount, invoice: invoice.amount })
  }
  const network = await context.network.find(context)
  if (network !== undefined && network !== invoice.network) {
    throw new TippingRefusal('invoice-foreign', { network: invoice.network, own: network })
  }
  mustLive(context, invoice)
  await mustBeFree(context.database.read, invoice.paymentHash)
}
