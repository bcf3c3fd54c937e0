import { token } from '../../lib/entropy.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { commitDurably } from '../core/commit-end.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { OUR_NAME } from '../core/our-name.ts'
import { refusalOf } from '../core/provider-refusal.ts'
import { readAmount } from '../core/read-amount.ts'
import { MAX_DESCRIPTION } from '../core/settings.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { atPresentProvider } from '../engine/alerts/present-provider.ts'
import { createFixedCharge, failToCreate, smallestCharge } from '../engine/incoming/create-charge.ts'
import { mustAcceptDeposits } from '../engine/incoming/deposits-open.ts'
import { ensureOpened } from '../engine/incoming/opening-balance.ts'
import type { StaticCharge } from '../engine/incoming/read-charge.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { type Command, operationValues } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { DepositCommand, DepositView } from './deposits.ts'
import { depositToPay } from './invoice-of-deposit.ts'
import { endOf } from './poll-deposit.ts'

/** A deposit's purpose other than to fill the member's balance. */
export interface DepositPurpose {
  /** The id that makes the command unique, and the content that a repetition must match. */
  readonly once: Pick<Command, 'interaction' | 'content'>
  /** The time until which the deposit's code can be paid. */
  readonly closesAt: Date
  /**
   * Writes what belongs to the purpose, in the transaction that writes the deposit and before the deposit's code
   * exists.
   */
  write(tx: Tx, deposit: string): Promise<void>
}

/**
 * Opens a deposit: a charge with one slot and a fixed amount, so counting slots proves the payment, which is credited
 * to the member's balance. A member may have a few open deposits, and as many more with a purpose.
 */
export async function openDeposit(
  context: TippingContext,
  command: DepositCommand,
  purpose?: DepositPurpose,
): Promise<DepositView> {
  const { member, amount, asking, origin } = command
  const content = [member, amount, ...(asking === undefined ? [] : [asking.note])]
  const once = purpose?.once ?? { interaction: origin.interaction, content }
  const id = await context.once.perform({ verb: 'deposit', ...once }, (digest) =>
    perform(context, command, { digest, interaction: once.interaction, purpose }),
  )
  return await depositToPay(context, id)
}

interface Performing {
  readonly digest: string
  readonly interaction: string
  readonly purpose: DepositPurpose | undefined
}

async function perform(context: TippingContext, command: DepositCommand, performing: Performing): Promise<string> {
  if ((command.asking?.note.length ?? 0) > MAX_DESCRIPTION) {
    throw new TippingRefusal('text-too-long', { what: 'description', most: MAX_DESCRIPTION })
  }
  const limits = { smallest: smallestCharge(context), largest: context.settings.maxAmount, rates: context.rates }
  const amount = readAmount(command.amount, limits)
  await mustAcceptDeposits(context)
  await ensureOpened(context).catch((error) => {
    throw refusalOf(error)
  })
  const id = context.entropy.uuid()
  const key = `deposit-${id}`
  const card = context.entropy.uuid()
  await record(context, command, { id, key, card, amount, ...performing })
  const callbackToken = token(context.entropy)
  try {
    const data = await createFixedCharge(context, {
      ...{ id, key, amount, slots: 1, callbackToken },
      description: OUR_NAME,
      successMessage: 'Thank you. Your balance is being filled.',
    })
    await open(context, command, { id, card, callbackToken, data })
  } catch (error) {
    throw await failToCreate(context, { noun: 'deposit', id }, error, (reason) =>
      commitDurably(context, {
        write: (tx) => tx.deposit.updateMany({ where: { id, state: 'creating' }, data: { state: 'failed', reason } }),
      }),
    )
  }
  void context.poller.wake()
  return id
}

/**
 * Records a deposit before its charge is requested, in the transaction that also checks the number of open deposits.
 */
async function record(
  context: CoreContext,
  { member, asking, origin }: DepositCommand,
  { id, key, card, amount, ...performing }: { id: string; key: string; card: string; amount: Msats } & Performing,
): Promise<void> {
  const { digest, interaction, purpose } = performing
  const most = context.settings.maxOpenDeposits
  const createdAt = now(context)
  await context.commit({
    write: async (tx) => {
      // Deposits with a purpose count on their own, so a member whose tips have many invoices can still deposit.
      const alike = { closesAt: purpose === undefined ? null : { not: null } }
      const open = await tx.deposit.findMany({
        where: { member, ...alike, state: { in: ['creating', 'open'] }, provider: atPresentProvider(context) },
      })
      const ends = open.map((deposit) => endOf(context, deposit)).sort((one, other) => one - other)
      if (ends.length >= most) {
        throw new TippingRefusal('too-many-open-deposits', { most, until: new Date(ends[0] ?? createdAt) })
      }
      await noteMember(tx, member, createdAt)
      await tx.operation.create({
        data: operationValues({ id, verb: 'deposit', record: id, interaction, digest, createdAt }),
      })
      const { provider } = context.payments
      const process = context.ownership.me
      const asked = asking === undefined ? {} : { askedIn: origin.channel, note: asking.note }
      const closesAt = purpose?.closesAt ?? null
      await tx.deposit.create({
        data: { id, member, amount, state: 'creating', process, card, key, provider, createdAt, closesAt, ...asked },
      })
      await purpose?.write(tx, id)
    },
  })
}

async function open(
  context: TippingContext,
  { member, asking, origin }: DepositCommand,
  { id, card, callbackToken, data }: { id: string; card: string; callbackToken: string; data: StaticCharge },
): Promise<void> {
  const bornAt = now(context)
  await context.commit({
    write: async (tx) => {
      await tx.deposit.update({
        where: { id, state: 'creating' },
        data: { state: 'open', chargeId: data.id, request: data.invoice.request },
      })
      const audience = asking === undefined ? { member } : { channel: origin.channel }
      await tx.card.create({
        data: context.cards.values({ id: card, kind: 'deposit', record: id, audience, origin }),
      })
      const first = new Date(bornAt.getTime() + 2_000)
      await schedulePoll(tx, { id, kind: 'deposit', bornAt, token: callbackToken }, first)
    },
  })
}
