import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CallbackReceiver } from '../callback-receiver.ts'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
beforeAll(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

interface Webhook {
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: { $ref: string } } } }
}

it('every kind of callback arrives as /openapi.json describes it', async () => {
  await world.user('alice')
  const { apiKey } = await world.project()
  const pubkey = (await world.raw('GET', '/sandbox/wallet')).json.pubkey
  const call = async (path: string, body: object) =>
    (await world.clock.advanceUntil(world.raw('POST', path, { apiKey, body }), 100)).json
  const told = (kind: string) => ({ callbackUrl: receiver.url(`/${kind}`) })

  const own = await call('/v0/charges', { amount: '6000', description: 'tea', ...told('projectCharge') })
  await call('/sandbox/pay', { request: own.data.invoice.request })
  const charge = await call('/v0/gamertag/charges', { amount: '5000', gamertag: 'alice', ...told('charge') })
  await call('/sandbox/pay', { request: charge.data.invoiceRequest })
  const fixed = { minAmount: '3000', maxAmount: '3000', description: 'tea', ...told('staticCharge') }
  const tea = await call('/v0/static-charges', fixed)
  await call('/sandbox/pay', { request: tea.data.invoice.request, comment: 'two sugars' })
  const code = await call('/v0/withdrawal-requests', { amount: '2000', ...told('withdrawalRequest') })
  await call('/sandbox/claim', { request: code.data.invoice.request })
  const { invoice } = (await call('/sandbox/invoice', { amount: '4000' })) as { invoice: string }
  await call('/v0/payments', { invoice, ...told('payment') })
  const tlvRecords = [{ type: 65_536, value: 'ab' }]
  await call('/v0/keysend-payment', { amount: '1000', pubkey, metadata: { a: 1 }, tlvRecords, ...told('keysend') })

  const { webhooks, components } = (await world.raw('GET', '/openapi.json')).json as {
    webhooks: Record<string, { post: Webhook }>
    components: { schemas: object }
  }
  const arrived = () => new Set(receiver.received.map(({ path }) => path.slice(1)))
  await world.until(() => arrived().size === Object.keys(webhooks).length)
  expect([...arrived()].sort()).toEqual(Object.keys(webhooks).sort())

  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components })
  for (const { path, headers, json } of receiver.received) {
    const { post } = webhooks[path.slice(1)] as { post: Webhook }
    const { parameters, requestBody } = post
    for (const { name } of parameters) expect(headers[name], name).toMatch(/./)
    const validate = ajv.getSchema(`document${requestBody.content['application/json'].schema.$ref}`)
    expect([path, validate?.(json), validate?.errors]).toEqual([path, true, null])
    expect(validate?.({ ...json, unheardOf: 1 })).toBe(false)
  }
})
