import pLimit from 'p-limit'
import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { type DataOf, type Operations, PAYMENTS_A_PAGE, PaymentsError } from '../../payments-api/payments-api.ts'
import { member as memberAccount, WALLET } from '../core/chart-of-accounts.ts'
import type { Address, PollJob } from '../generated/client.ts'
import { raiseAlert } from '../machines/alerts/alerts.ts'
import {
  atPresentProvider,
  isPresent,
  tellIfNotKnown,
  tellOfProviderLeft,
} from '../machines/alerts/present-provider.ts'
import { isAnswer } from '../machines/polling/is-answer.ts'
import { END, inMs, type Next, paceMs, unread } from '../machines/polling/poller.ts'
import type { TippingContext } from '../machines/tipping-context.ts'

type Payment = DataOf<Operations['listStaticChargePayments']>['payments'][number]

/** Addresses read at once, when all are read. */
const MAX_CONCURRENT = 8

/**
 * Reads what was paid to an address, by the id that was stored when its charge was created, and credits each payment
 * that is new. It goes on being read, ever more slowly while nothing arrives.
 */
export async function pollAddress(context: TippingContext, job: PollJob): Promise<Next> {
  const { read } = context.database
  const address = await read.address.findUnique({ where: { id: job.id } })
  if (address?.chargeId == null) return END
  const here = isPresent(context, address.provider)
  if (!here) await tellOfProviderLeft(context, address.provider)
  const result = here ? await creditNew(context, address) : 'refused'
  const last = await read.addressPayment.findFirst({ where: { addressId: address.id }, orderBy: { slot: 'desc' } })
  const again = inMs(paceMs(last?.settledAt ?? job.bornAt, context.clock.now()))
  return result === 'unread' ? unread(again) : again
}

/**
 * Reads every address now: for when the wallet holds more than can be explained, since payments to addresses may have
 * arrived unseen. Resolves to whether all of them could be read, and everything that was listed is credited.
 */
export async function readAllAddresses(context: TippingContext): Promise<boolean> {
  const provider = atPresentProvider(context)
  const waiting = await context.database.read.address.findMany({ where: { state: 'live', provider } })
  const results = await pLimit(MAX_CONCURRENT).map(waiting, (address) => creditNew(context, address))
  return results.every((result) => result === 'credited')
}

/** `credited`: everything that is listed is credited now, by whomever. `unread`: the provider could not be asked. */
async function creditNew(context: TippingContext, address: Address): Promise<'credited' | 'refused' | 'unread'> {
  let { credited } = address
  try {
    for (;;) {
      const { data } = await context.payments.listStaticChargePayments({
        id: address.chargeId ?? '',
        after: String(credited),
      })
      if (data.payments.some(({ slot, amount }, i) => slot !== credited + i + 1 || amount < 1n)) {
        await alert(context, address, credited)
        return 'refused'
      }
      if (data.payments.length > 0) await credit(context, address, credited, data.payments)
      credited += data.payments.length
      if (data.payments.length < PAYMENTS_A_PAGE) return 'credited'
    }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ address: address.id, reason: error.message }, 'an address could not be read')
    await tellIfNotKnown(context, error, { ...address, remoteId: address.chargeId })
    return isAnswer(error) ? 'refused' : 'unread'
  }
}

/** One entry a slot, so that no payment is credited twice, however many readers there are. */
async function credit(context: TippingContext, address: Address, from: number, payments: readonly Payment[]) {
  const { id, member } = address
  const arrivals = payments.map((payment) => ({ ...payment, id: context.entropy.uuid() }))
  try {
    await context.commit({
      entries: arrivals.map(({ slot, amount }) => ({
        operation: id,
        step: `slot:${slot}`,
        moves: [{ from: WALLET, to: memberAccount(member), amount: msats(amount) }],
      })),
      write: async (tx) => {
        await tx.address.update({ where: { id, credited: from }, data: { credited: from + arrivals.length } })
        for (const { id: payment, slot, amount, comment, settledAt, payer } of arrivals) {
          await tx.addressPayment.create({
            data: {
              ...{ id: payment, addressId: id, slot, amount, comment: comment ?? '', payer: payerText(payer) },
              settledAt: settledAt ?? new Date(context.clock.now()),
            },
          })
          const card = { id: context.entropy.uuid(), kind: 'address-paid', record: payment } as const
          await tx.card.create({ data: context.cards.values({ ...card, audience: { member } }) })
        }
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
  }
}

const MAX_NAME = 64
const MAX_IDENTIFIER = 320

/** What is kept of what the payer said about themselves: JSON, or empty for nothing. */
function payerText(payer: Payment['payer']): string {
  const kept = {
    ...(payer?.name && { name: [...payer.name].slice(0, MAX_NAME).join('') }),
    ...(payer?.identifier && { identifier: [...payer.identifier].slice(0, MAX_IDENTIFIER).join('') }),
  }
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}

async function alert(context: TippingContext, { id, address, chargeId }: Address, credited: number): Promise<void> {
  const text =
    `the charge ${chargeId} of the address ${address} does not list its payments one after the other after slot ` +
    `${credited}; nothing is credited by itself`
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'deposit-changed', about: id, text }) })
}
