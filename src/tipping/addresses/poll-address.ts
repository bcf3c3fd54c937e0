import pLimit from 'p-limit'
import { sats } from '../../lib/money/amount.ts'
import { type DataOf, type Operations, PAYMENTS_A_PAGE } from '../../payments-api/payments-api.ts'
import { member } from '../core/chart-of-accounts.ts'
import type { Book } from '../core/context.ts'
import { raiseAlert } from '../engine/alerts/alerts.ts'
import { atPresentProvider } from '../engine/alerts/present-provider.ts'
import { type IncomingKind, readCharge, slotsAround } from '../engine/incoming/read-charge.ts'
import { paceMs } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Address } from '../generated/client.ts'

type Payment = DataOf<Operations['listStaticChargePayments']>['payments'][number]

/**
 * The smallest amount that the member gets a message about. Smaller amounts are credited without one: an offer accepts
 * any amount, so for one sat a stranger could send a member a thousand messages with a text of their own.
 */
const MIN_TOLD = sats(1)

/** The most addresses that `readAllAddresses` reads at the same time. */
const MAX_CONCURRENT = 8

/**
 * Payments to members' Lightning Addresses. An address accepts any amount, so its payments are read one by one from the
 * provider's list.
 */
export const ADDRESSES: IncomingKind<Address, Payment> = {
  noun: 'address',
  find: (read, id) => read.address.findUnique({ where: { id } }),
  accountOf: (address) => member(address.member),
  /**
   * Reports no uncertain sum, because any amount may arrive. Instead, an audit that finds a surplus reads all
   * addresses.
   */
  uncertain: async () => ({}),

  /** Returns the pause before an address is read again, which grows while nothing arrives. */
  async pauseMs({ database, clock }, { id: addressId }, job) {
    const last = await database.read.addressPayment.findFirst({ where: { addressId }, orderBy: { slot: 'desc' } })
    return paceMs(last?.settledAt ?? job.bornAt, clock.now())
  },

  async read(context, address, credit) {
    const { chargeId } = address
    for (let { credited } = address; ; credited += PAYMENTS_A_PAGE) {
      const { data } = await context.payments.listStaticChargePayments({ id: chargeId, after: String(credited) })
      if (data.payments.some(({ slot, amount }, i) => slot !== credited + i + 1 || amount < 1n)) {
        await tellOfGap(context, address, credited)
        return 'refused'
      }
      if (data.payments.length > 0) await credit(data.payments)
      if (data.payments.length < PAYMENTS_A_PAGE) return 'credited'
    }
  },

  async note(context, tx, { id, member }, arrivals) {
    const { before, after } = slotsAround(arrivals)
    await tx.address.update({ where: { id, credited: before }, data: { credited: after } })
    for (const { slot, amount, comment, settledAt, payer } of arrivals) {
      const [payment, card] = [context.entropy.uuid(), context.entropy.uuid()]
      await tx.addressPayment.create({
        data: {
          ...{ id: payment, addressId: id, slot, amount, comment: comment ?? '', payer: payerText(payer) },
          settledAt: settledAt ?? new Date(context.clock.now()),
        },
      })
      if (amount < MIN_TOLD) continue
      const values = { id: card, kind: 'address-paid', record: payment, audience: { member } } as const
      await tx.card.create({ data: context.cards.values(values) })
    }
  },
}

/**
 * Reads the payments to every address now. Call it if the wallet holds more than can be explained, because payments to
 * addresses may have arrived unseen. Resolves to whether all addresses could be read and all listed payments are
 * credited.
 */
export async function readAllAddresses(context: TippingContext): Promise<boolean> {
  const provider = atPresentProvider(context)
  const live = await context.database.read.address.findMany({ where: { state: 'live', provider } })
  const readings = await pLimit(MAX_CONCURRENT).map(live, (address) => readCharge(context, ADDRESSES, address))
  return readings.every((reading) => reading === 'credited')
}

const MAX_NAME = 64
const MAX_IDENTIFIER = 320
const NOSTR_KEY = /^[0-9a-f]{64}$/

/** Returns the stored form of a payer's claims: JSON, or an empty text if there are none. */
function payerText(payer: Payment['payer']): string {
  const kept = {
    ...(payer?.name && { name: [...payer.name].slice(0, MAX_NAME).join('') }),
    ...(payer?.identifier && { identifier: [...payer.identifier].slice(0, MAX_IDENTIFIER).join('') }),
    ...(payer?.nostr && NOSTR_KEY.test(payer.nostr) && { nostr: payer.nostr }),
  }
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}

async function tellOfGap(context: Book, { id, address, chargeId }: Address, credited: number): Promise<void> {
  const text =
    `the charge ${chargeId} of the address ${address} does not list its payments one after the other after slot ` +
    `${credited}; nothing is credited by itself`
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'deposit-changed', about: id, text }) })
}
