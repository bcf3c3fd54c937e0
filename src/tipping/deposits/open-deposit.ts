import { token } from '../../lib/entropy.ts'
import { formatSats, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { type DataOf, type Operations, progressOf } from '../../payments-api/payments-api.ts'
import { now } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { atPresentProvider } from '../machines/alerts/present-provider.ts'
import { notCreated } from '../machines/incoming/not-created.ts'
import { ensureOpened } from '../machines/incoming/opening.ts'
import { CarriedOut, operationValues } from '../machines/once-only/once-only.ts'
import { noteMember, refusalOf } from '../machines/payouts/live-link.ts'
import { schedulePoll } from '../machines/polling/poller.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import type { DepositCommand, DepositView } from './deposits.ts'
import { depositToPay } from './invoice-of-deposit.ts'

type StaticCharge = DataOf<Operations['createStaticCharge']>

/**
 * Opens a charge that fills the member's balance when it is paid: one slot, one fixed amount, so that what was paid can
 * be proven by counting slots. A member has a few open at most.
 */
export async function openDeposit(context: TippingContext, command: DepositCommand): Promise<DepositView> {
  const { member, amount, origin } = command
  const id = await context.once.perform(
    { interaction: origin.interaction, verb: 'deposit', content: [member, amount] },
    (digest) => perform(context, command, digest),
  )
  return await depositToPay(context, id)
}

async function perform(context: TippingContext, command: DepositCommand, digest: string): Promise<string> {
  const smallest = msats(context.settings.minAmount > sats(1) ? context.settings.minAmount : sats(1))
  const amount = readAmount(command.amount, { smallest, largest: context.settings.maxAmount, rates: context.rates })
  await ensureOpened(context).catch((error) => {
    throw refusalOf(error)
  })
  const id = context.entropy.uuid()
  const key = `deposit-${id}`
  const card = context.entropy.uuid()
  await record(context, command, { id, key, card, amount, digest })
  const callbackToken = token(context.entropy)
  try {
    const { data } = await context.payments.createStaticCharge(
      {
        minAmount: amount,
        maxAmount: amount,
        allowedSlots: 1,
        description: `Deposit of ${formatSats(amount)} sats`,
        successMessage: 'Thank you. Your balance is being filled.',
        internalId: id,
        callbackUrl: context.settings.callbackUrl(callbackToken),
      },
      { idempotencyKey: key },
    )
    const wrong = whatIsWrong(data, amount)
    if (wrong !== undefined) throw new TippingRefusal('provider-refused', { message: wrong })
    await open(context, command, { id, card, callbackToken, data })
  } catch (error) {
    throw await fail(context, id, error)
  }
  void context.poller.wake()
  return id
}

/** Written before the charge is asked for; with the count of open ones in the same transaction. */
async function record(
  context: TippingContext,
  { member, origin }: DepositCommand,
  { id, key, card, amount, digest }: { id: string; key: string; card: string; amount: Msats; digest: string },
): Promise<void> {
  const most = context.settings.maxOpenDeposits
  const createdAt = now(context)
  await context.commit({
    write: async (tx) => {
      const open = await tx.deposit.count({
        where: { member, state: { in: ['creating', 'open'] }, provider: atPresentProvider(context) },
      })
      if (open >= most) throw new TippingRefusal('too-many-open-deposits', { most })
      await noteMember(tx, member, createdAt)
      await tx.operation.create({
        data: operationValues({ id, verb: 'deposit', record: id, interaction: origin.interaction, digest, createdAt }),
      })
      const { provider } = context.payments
      await tx.deposit.create({ data: { id, member, amount, state: 'creating', card, key, provider, createdAt } })
    },
  })
}

/** What makes a new charge unfit to prove a deposit by. */
function whatIsWrong(charge: StaticCharge, amount: Msats): string | undefined {
  if (charge.slots !== 0) return `The new charge says that it was paid ${charge.slots} times.`
  if (charge.minAmount !== amount || charge.maxAmount !== amount) return 'The new charge is for another amount.'
  if (charge.allowedSlots !== null && charge.allowedSlots !== 1) return 'The new charge can be paid more than once.'
  if (progressOf(charge.status) !== 'open') return `The new charge is ${charge.status}.`
  return undefined
}

async function open(
  context: TippingContext,
  { member, origin }: DepositCommand,
  { id, card, callbackToken, data }: { id: string; card: string; callbackToken: string; data: StaticCharge },
): Promise<void> {
  const bornAt = now(context)
  await context.commit({
    write: async (tx) => {
      await tx.deposit.update({
        where: { id, state: 'creating' },
        data: { state: 'open', chargeId: data.id, request: data.invoice.request },
      })
      await tx.card.create({
        data: context.cards.values({ id: card, kind: 'deposit', record: id, audience: { member }, origin }),
      })
      const first = new Date(bornAt.getTime() + 2_000)
      await schedulePoll(tx, { id, kind: 'deposit', bornAt, token: callbackToken }, first)
    },
  })
}

/** A charge that was never shown can never be paid, whatever became of it at the provider. */
async function fail(context: TippingContext, id: string, error: unknown): Promise<unknown> {
  const refusal = refusalOf(error)
  if (!(refusal instanceof TippingRefusal))
    context.logger.error({ err: error, deposit: id }, 'a deposit could not be opened')
  const refused = refusal instanceof TippingRefusal && refusal.code === 'provider-refused'
  const reason = refused ? (refusal as TippingRefusal<'provider-refused'>).facts.message : null
  await context.commit({
    write: (tx) => tx.deposit.updateMany({ where: { id, state: 'creating' }, data: { state: 'failed', reason } }),
  })
  return new CarriedOut(notCreated(reason))
}
