import { getParams, type LNURLPayParams, type LNURLWithdrawParams } from 'js-lnurl'
import { decode } from 'light-bolt11-decoder'
import { beforeEach, describe, expect, it } from 'vitest'
import { descriptionHash } from '../../../src/lib/lightning/lnurl-messages.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { StaticChargeCalls } from '../static-charge-calls.ts'
import { WithdrawalCalls } from '../withdrawal-calls.ts'

/** Tests what is seen by wallets that use other libraries: an LNURL client and a BOLT11 decoder. */
let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
})
/** Returns the fields of an invoice by name, as another library reads them. */
function read(invoice: string): Record<string, unknown> {
  const { sections } = decode(invoice) as { sections: { name: string; value?: unknown }[] }
  return Object.fromEntries(sections.map(({ name, value }) => [name, value]))
}

async function ask(callback: string, query: Record<string, string>) {
  const url = new URL(callback)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return (await fetch(url)).json() as Promise<Record<string, unknown>>
}

describe('a third-party LNURL client', () => {
  it('receives a static charge’s invoice with the right amount, hash and message', async () => {
    const calls = new StaticChargeCalls(world, project)
    const { data } = (await calls.create({ maxAmount: '9000', successMessage: 'enjoy', allowedSlots: 1 })).json
    const params = (await getParams(data.invoice.request)) as LNURLPayParams
    expect(params).toMatchObject({ tag: 'payRequest', minSendable: 5_000, maxSendable: 9_000, commentAllowed: 255 })
    expect(params.decodedMetadata).toEqual([['text/plain', 'a coffee']])
    const answer = await ask(params.callback, { amount: '7123', comment: 'merci' })
    expect(answer).toMatchObject({ disposable: true, successAction: { tag: 'message', message: 'enjoy' } })
    const invoice = read(String(answer.pr))
    expect(invoice).toMatchObject({ amount: '7123', description_hash: descriptionHash(params.metadata), expiry: 120 })
    await world.sandbox.outside.pay(String(answer.pr))
    await calls.slotsTaken(data.id, 1)
    expect(await ask(params.callback, { amount: '7123' })).toMatchObject({ status: 'ERROR' })
  })

  it('receives our error for an unknown charge', async () => {
    const calls = new StaticChargeCalls(world, project)
    const { data } = (await calls.create()).json
    const unknown = `${world.url}/v0/request-static-charges/${data.id.slice(0, -1)}`
    expect(await (await fetch(unknown)).json()).toEqual({ status: 'ERROR', reason: expect.stringMatching(/\w/) })
  })

  it('claims a withdrawal request with an invoice from an outside node', async () => {
    const calls = new WithdrawalCalls(world, project)
    const { data } = (await calls.create({ amount: '2000000' })).json
    const params = (await getParams(data.invoice.request)) as LNURLWithdrawParams
    const { invoice: pr, paymentHash } = world.sandbox.outside.createInvoice({
      amount: sats(2_000),
      description: { text: params.defaultDescription },
      expiresInSeconds: 600,
    })
    expect(await ask(params.callback, { k1: params.k1, pr })).toEqual({ status: 'OK' })
    await world.until(async () => (await calls.retrieve(data.id)).json.data.status === 'completed')
    expect(world.sandbox.outside.lookUp(paymentHash)).toMatchObject({ state: 'paid' })
    expect(await ask(params.callback, { k1: params.k1, pr })).toEqual({ status: 'OK' })
    const other = world.sandbox.outside.createInvoice({ amount: sats(2_000) })
    expect(await ask(params.callback, { k1: params.k1, pr: other.invoice })).toMatchObject({ status: 'ERROR' })
  })
})

describe('a third-party BOLT11 decoder', () => {
  it('reads the amount, text, expiry and payment hash of a charge as this service does', async () => {
    await world.user('alice')
    const body = { amount: '21000', gamertag: 'alice', description: 'für 🍵', expiresIn: 77 }
    const { data } = (await world.raw('POST', '/v0/gamertag/charges', { apiKey: project.apiKey, body })).json
    const theirs = read(data.invoiceRequest)
    const options = { apiKey: project.apiKey, body: { invoice: data.invoiceRequest } }
    const ours = (await world.raw('POST', '/v0/decode-invoice', options)).json.data
    expect(theirs).toMatchObject({
      amount: ours.amount,
      description: ours.description,
      payment_hash: ours.paymentHash,
      payment_secret: ours.paymentSecret,
      expiry: 77,
    })
    expect(ours).toMatchObject({ amount: '21000', description: 'für 🍵', network: 'regtest' })
  })
})
