import { expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { Statements, scansOf } from '../support/query-plans.ts'
import { ServiceWorld } from './harness.ts'
import { StaticChargeCalls } from './static-charge-calls.ts'
import { VoucherCalls } from './voucher-calls.ts'
import { signedIn } from './wallet-page/browser.ts'

/** The tables that grow with every payment. */
const GROWING = [
  'Move',
  'Entry',
  'Payment',
  'Invoice',
  'Charge',
  'GamertagPayment',
  'IdempotencyKey',
  'Callback',
  'NotedPrice',
  'Voucher',
]

/** The statement that counts all gamertag payments for `/metrics`, which a server needs and SQLite does not. */
const COUNTS = /^GamertagPayment: SELECT count\(\*\)/

it('no request, page or worker of the service scans a whole table that grows', async () => {
  const statements = new Statements()
  const world = await ServiceWorld.open()
  try {
    const { client, apiKey, ...project } = await world.project()
    const { browser: alice } = await signedIn(world, 'alice')
    const get = (path: string) => world.raw('GET', path, { apiKey })
    const charge = async () =>
      (await client.createGamertagCharge({ gamertag: 'alice', amount: sats(10), description: '' })).data
    const [inside, outside] = [await charge(), await charge()]
    const paid = await client.sendPayment({ invoice: inside.invoiceRequest })
    const again = await client.sendPayment({ invoice: inside.invoiceRequest }).catch((error: unknown) => error)
    expect(again).toMatchObject({ code: 'already_paid' })
    await world.sandbox.outside.pay(outside.invoiceRequest)
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(100) })
    const out = await world.clock.advanceUntil(client.sendPayment({ invoice }))
    const gift = await client.payToGamertag({ gamertag: 'alice', amount: sats(50), description: '' })
    const codes = new StaticChargeCalls(world, { apiKey, client, ...project })
    const { data: code } = (await codes.create()).json
    await codes.pay(code.staticCharge?.request ?? code.request, 5).catch(() => undefined)
    const vouchers = new VoucherCalls(world, { apiKey, client, ...project })
    await vouchers.code()
    const { id } = (await client.createCharge({ amount: sats(10), description: '' })).data
    await get(`/v0/charges/${id}`)
    for (const query of ['', '?limit=1', '?type=charge&to=2100-01-01']) await get(`/v0/transactions${query}`)
    const { next } = (await get('/v0/transactions?limit=1')).json.data
    await get(`/v0/transactions?after=${next}`)
    await get('/v0/wallet')
    await get(`/v0/payments/${paid.data.id}`)
    await get(`/v0/payments/${out.data.id}`)
    await get(`/v0/gamertag/charges/${inside.id}`)
    await get(`/v0/gamertag/transaction/${gift.data.id}`)
    await get(`/v0/static-charges/${code.id}`)
    await get('/metrics')
    await get('/ready')
    for (const path of ['', '/history', '/receive', '/send', '/settings', `/charges/${outside.id}`])
      await alice.open(`/wallet${path}`)
    const { administration } = world
    await Promise.all([
      administration.listCallbacks(),
      administration.listSuspense(),
      administration.listOpenPayments(),
    ])
    await world.clock.advance(11 * 60_000)
    statements.end()
    const scans = await scansOf(world.service.parts.database, statements, GROWING)
    expect(scans.filter((scan) => !COUNTS.test(scan))).toEqual([])
  } finally {
    statements.end()
    await world.close()
  }
})
