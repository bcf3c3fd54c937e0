import { floorToSat, largestSendable, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { isRelative, readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteMember } from '../machines/members/note-member.ts'
import { operationValues } from '../machines/once-only/once-only.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import { mustBeElsewhere, mustBeFree, mustCover } from './conditions.ts'
import { feeLimits } from './fee-limits.ts'
import { askAddress } from './fetch-invoice.ts'
import { mustHaveRoom } from './open-withdrawals.ts'
import { type Destination, mustLive, readDestination } from './read-destination.ts'
import { viewWithdrawal } from './view-withdrawal.ts'
import type { WithdrawalView, WithdrawCommand } from './withdrawals.ts'

/** Prepares a withdrawal and checks all that can be checked before its member says the word. Nothing moves. */
export async function askWithdrawal(context: TippingContext, command: WithdrawCommand): Promise<WithdrawalView> {
  const { member, amount = '', to = '', origin } = command
  const id = await context.once.perform(
    { interaction: origin.interaction, verb: 'withdraw', content: [member, amount, to] },
    (digest) => perform(context, command, digest),
  )
  return await viewWithdrawal(context, id)
}

async function perform(context: TippingContext, command: WithdrawCommand, digest: string): Promise<string> {
  const { member } = command
  context.outgoingSwitch.assertOutgoingEnabled()
  const destination = readDestination(context, command.to)
  const balance = msats(await context.ledger.balance(memberAccount(member)))
  const typed = command.amount ?? amountOf(destination)
  const limitOf = await feeLimits(context)
  const amount = readSendable(context, typed, { balance, limitOf })
  const limit = limitOf(amount)
  mustCover(balance, amount, limit)
  await mustHaveRoom(context, context.database.read, member)
  await mustBePayable(context, destination, { member, amount })
  const id = context.entropy.uuid()
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
          kind: destination.kind,
          amount,
          feeLimit: limit,
          everything: /^all$/i.test(typed.trim()),
          destination: destination.kind === 'address' ? destination.name : null,
          ...(destination.kind === 'invoice'
            ? { invoice: destination.invoice.text, paymentHash: destination.invoice.paymentHash }
            : {}),
          state: 'asked',
          key: `withdrawal-${id}`,
          createdAt,
        },
      })
    },
  })
  return id
}

/** Anybody who pastes an invoice need not type what it says. */
function amountOf(destination: Destination): string {
  const amount = destination.kind === 'invoice' ? destination.invoice.amount : undefined
  if (amount === undefined) throw new TippingRefusal('amount-missing', {})
  return `${amount} msats`
}

/** `all` is what can be sent when its fee limit is kept back, `half` is half of the balance. */
function readSendable(
  { settings, rates }: TippingContext,
  text: string,
  { balance, limitOf }: { readonly balance: Msats; readonly limitOf: (amount: Msats) => Msats },
): Msats {
  const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)
  const limits = { smallest, largest: settings.maxAmount, rates }
  if (!isRelative(text)) return readAmount(text, limits)
  const requested = /^all$/i.test(text.trim()) ? largestSendable(balance, limitOf) : floorToSat(msats(balance / 2n))
  const amount = requested > settings.maxAmount ? settings.maxAmount : requested
  if (amount < smallest) mustCover(balance, smallest, limitOf(smallest), true)
  return amount < smallest ? smallest : amount
}

async function mustBePayable(
  context: TippingContext,
  destination: Destination,
  { member, amount }: { readonly member: string; readonly amount: Msats },
): Promise<void> {
  if (destination.kind === 'address') {
    await mustBeElsewhere(context, destination.name)
    await askAddress(context, { ...destination, member }, amount)
  }
  if (destination.kind !== 'invoice') return
  const { invoice } = destination
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
