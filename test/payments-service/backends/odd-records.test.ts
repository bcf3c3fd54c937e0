import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import type { LightningBackend, OddRecord, Settlement } from '../../../src/payments-service/backends/backend.ts'
import { createCoreLightning } from '../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { createLnd } from '../../../src/payments-service/backends/lnd/lnd.ts'
import { isOdd } from '../../../src/payments-service/backends/node-answers.ts'
import { createNwc } from '../../../src/payments-service/backends/nwc/nwc.ts'
import { createPhoenixd } from '../../../src/payments-service/backends/phoenixd/phoenixd.ts'
import { ONE_CERTIFICATE } from '../../support/certificates.ts'
import { FakeClnrest } from './core-lightning/fake-clnrest.ts'
import { FakeLnd, MACAROON } from './lnd/fake-lnd.ts'
import { WalletOverRelay } from './nwc/wallet-over-relay.ts'
import { FakePhoenixd } from './phoenixd/fake-phoenixd.ts'

type Row = Record<string, unknown>

/** A node on which the test changes one payment's record, wherever the node shows it. */
interface OddNode {
  readonly backend: LightningBackend
  /** The names that these fields have in the record. */
  readonly fields: { readonly hash: string; readonly preimage: string; readonly amount: string; readonly time: string }
  /** The node's encoding of bytes. */
  readonly bytes: 'hex' | 'base64'
  /** Makes somebody outside pay one of our invoices. */
  pay(invoice: string): void
  change(changed: (row: Row) => unknown): void
  close(): Promise<void>
}

const ask = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }

/** Returns a function that changes every object in a JSON text that has this field. */
function rewriter(field: string, changed: () => (row: Row) => unknown) {
  return (body: string) =>
    JSON.stringify(
      JSON.parse(body, (_, value) =>
        typeof value === 'object' && value !== null && field in value ? changed()(value) : value,
      ),
    )
}

async function lnd(): Promise<OddNode> {
  const node = await new FakeLnd().start()
  const options = { url: node.url, macaroon: MACAROON, certificate: ONE_CERTIFICATE.cert }
  const backend = createLnd(options, { clock: systemClock, entropy: systemEntropy })
  return {
    backend,
    fields: { hash: 'r_hash', preimage: 'r_preimage', amount: 'amt_paid_msat', time: 'settle_date' },
    bytes: 'base64',
    pay: (invoice) => void node.network.receive(invoice),
    change: (changed) => {
      node.show = (invoice) => changed(invoice) as object
    },
    close: async () => {
      await backend.close()
      await node.kill()
    },
  }
}

async function coreLightning(): Promise<OddNode> {
  const node = new FakeClnrest(systemClock)
  await node.http.start()
  const options = { url: node.http.url, rune: node.rune, certificate: undefined }
  const backend = createCoreLightning(options, { clock: systemClock, entropy: systemEntropy })
  return {
    backend,
    fields: {
      ...{ hash: 'payment_hash', preimage: 'payment_preimage' },
      ...{ amount: 'amount_received_msat', time: 'paid_at' },
    },
    bytes: 'hex',
    pay: (invoice) => void node.side.payFromOutside(invoice),
    change: (changed) => {
      node.http.rewrite = rewriter('pay_index', () => changed)
    },
    close: async () => {
      await backend.close()
      await node.http.stop()
    },
  }
}

async function phoenixd(): Promise<OddNode> {
  const node = new FakePhoenixd(systemClock)
  await node.http.start()
  const backend = createPhoenixd({ url: node.http.url, password: node.password }, { clock: systemClock })
  return {
    backend,
    fields: { hash: 'paymentHash', preimage: 'preimage', amount: 'receivedSat', time: 'completedAt' },
    bytes: 'hex',
    pay: (invoice) => void node.side.payFromOutside(invoice),
    change: (changed) => {
      node.http.rewrite = rewriter('isPaid', () => changed)
    },
    close: async () => {
      await backend.close()
      await node.http.stop()
    },
  }
}

async function nwc(): Promise<OddNode> {
  const wallet = await WalletOverRelay.start(systemClock)
  const backend = createNwc({ uri: wallet.uri }, { clock: systemClock })
  const { listTransactions, lookupInvoice } = wallet.handlers
  return {
    backend,
    fields: { hash: 'payment_hash', preimage: 'preimage', amount: 'amount', time: 'settled_at' },
    bytes: 'hex',
    pay: (invoice) => void wallet.side.payFromOutside(invoice),
    change: (changed) => {
      wallet.handlers.listTransactions = async (request) => {
        const answer = await listTransactions?.(request)
        const transactions = answer?.result?.transactions.map((row) => changed({ ...row } as Row))
        return { result: { transactions, total_count: 1 } as never, error: undefined }
      }
      wallet.handlers.lookupInvoice = async (request) => {
        const { result, error } = (await lookupInvoice?.(request)) ?? { result: undefined, error: undefined }
        return { result: result && (changed({ ...result } as Row) as never), error }
      }
    },
    close: async () => {
      await backend.close()
      await wallet.stop()
    },
  }
}

/**
 * Reads the stream of settlements until it has reported this many different payments; resolves to them, by payment
 * hash.
 */
async function arrivals(backend: LightningBackend, count: number): Promise<Map<string, Settlement | OddRecord>> {
  const stop = new AbortController()
  const found = new Map<string, Settlement | OddRecord>()
  for await (const one of backend.settledInvoices(undefined, stop.signal)) {
    found.set(one.paymentHash ?? 'no hash', one)
    if (found.size === count) stop.abort()
  }
  return found
}

describe.each([
  ['lnd', lnd],
  ['Core Lightning', coreLightning],
  ['phoenixd', phoenixd],
  ['Nostr Wallet Connect', nwc],
])('%s’s list of received payments, with one odd record', (name, open) => {
  let node: OddNode
  /** The hashes of three payments, of which the second has an odd record. */
  let hashes: [string, string, string]
  beforeEach(async () => {
    node = await open()
    const made = [await node.backend.createInvoice(ask), await node.backend.createInvoice(ask)]
    made.push(await node.backend.createInvoice(ask))
    for (const { invoice } of made) node.pay(invoice)
    hashes = made.map(({ paymentHash }) => paymentHash) as [string, string, string]
  })
  afterEach(() => node.close())

  const written = (hex: string) => (node.bytes === 'hex' ? hex : Buffer.from(hex, 'hex').toString('base64'))
  const changeSecond = (changed: (row: Row) => unknown) => {
    const hash = written(hashes[1])
    node.change((row) => (String(row[node.fields.hash]).toLowerCase() === hash.toLowerCase() ? changed(row) : row))
  }
  const told = async () => {
    const found = await arrivals(node.backend, 3)
    return hashes.map((hash) => found.get(hash))
  }

  it.each([
    ['left out', undefined],
    ['empty', ''],
    ['null', null],
  ])('contains a payment without a preimage (%s)', async (_, preimage) => {
    changeSecond((row) => ({ ...row, [node.fields.preimage]: preimage }))
    const [first, second, third] = await told()
    expect([first, third]).toMatchObject([{ received: sats(1_000) }, { received: sats(1_000) }])
    expect(second).toMatchObject({ received: sats(1_000), keysend: false })
    expect((second as Settlement).preimage).toBeUndefined()
    expect(await node.backend.lookUpInvoice(hashes[1])).toMatchObject({ state: 'settled', received: sats(1_000) })
  })

  it('contains a payment with an invalid preimage (a UUID) or without a time', async () => {
    changeSecond((row) => ({ ...row, [node.fields.preimage]: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' }))
    expect(await told()).toMatchObject([1, 2, 3].map(() => ({ received: sats(1_000), keysend: false })))
    if (name === 'lnd') return // It writes 0 where there is no time.
    changeSecond((row) => ({ ...row, [node.fields.time]: undefined }))
    expect(await told()).toMatchObject([1, 2, 3].map(() => ({ received: sats(1_000), keysend: false })))
  })

  it('is read even if its hex is in upper case', async (context) => {
    if (node.bytes !== 'hex') return context.skip('this node writes base64')
    const { hash, preimage } = node.fields
    changeSecond((row) => ({
      ...row,
      ...{ [hash]: String(row[hash]).toUpperCase(), [preimage]: String(row[preimage]).toUpperCase() },
    }))
    const [, second] = await told()
    expect(second).toMatchObject({ received: sats(1_000), preimage: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  it.each([
    ['a word', 'much'],
    ['a fraction', 0.5],
    ['negative', -1],
    ['null', null],
    ['a list', [1]],
    ['more than all bitcoin', Number.MAX_SAFE_INTEGER],
    ['more than all bitcoin, in digits', '9999999999999999999'],
  ])('contains only the hash of a payment whose amount is %s', async (_, amount) => {
    // 90,071 bitcoin, as msats in a number, are less than all bitcoin.
    if (amount === Number.MAX_SAFE_INTEGER && node.bytes === 'hex' && name !== 'phoenixd') return
    const [before, , after] = await told()
    changeSecond((row) => ({ ...row, [node.fields.amount]: amount }))
    const [first, second, third] = await told()
    expect([first, third]).toEqual([before, after])
    expect(second).toEqual(
      expect.objectContaining({ paymentHash: hashes[1], odd: expect.stringContaining(node.fields.amount) }),
    )
    // A look-up says that nobody knows, not that nothing came.
    if (name !== 'lnd') await expect(node.backend.lookUpInvoice(hashes[1])).rejects.toThrow()
  })

  it('continues after the odd record', async () => {
    changeSecond((row) => ({ ...row, [node.fields.amount]: 'much' }))
    const found = arrivals(node.backend, 4)
    const { invoice, paymentHash } = await node.backend.createInvoice(ask)
    node.pay(invoice)
    const later = (await found).get(paymentHash)
    expect(later !== undefined && isOdd(later)).toBe(false)
    expect(later).toMatchObject({ received: sats(1_000) })
  })
})
