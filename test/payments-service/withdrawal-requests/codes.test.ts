import { getParams } from 'js-lnurl'
import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { readFastWithdraw } from '../../../src/lib/lightning/lnurl-messages.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { WithdrawalCalls } from '../withdrawal-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: WithdrawalCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new WithdrawalCalls(world, project)
})

const urlOf = (code: string) => decodeLnurl(code, { allowLoopbackHttp: true })

describe('the codes of a withdrawal request', () => {
  it('are understood by a third-party LNURL library (LUD-03)', async () => {
    const { json } = await calls.create({ amount: '2000000', description: 'for Zoë & co' })
    const params = await getParams(json.data.invoice.request)
    expect(params).toMatchObject({
      tag: 'withdrawRequest',
      callback: `${world.url}/v0/claim-withdrawal-request`,
      k1: expect.stringMatching(/^[\w-]{43}$/),
      defaultDescription: 'for Zoë & co',
      minWithdrawable: 2_000_000,
      maxWithdrawable: 2_000_000,
    })
  })

  it('contain the same parameters as the route’s answer if they are fast (LUD-08)', async () => {
    const { json } = await calls.create({ amount: '2000000', description: 'for Zoë & co' })
    const fast = urlOf(json.data.invoice.fastRequest)
    const asked = await world.raw('GET', fast.pathname + fast.search)
    expect(readFastWithdraw(fast)).toEqual(asked.json)
  })

  it.each(['request', 'fastRequest'] as const)('can be claimed by an outside wallet in the form %s', async (which) => {
    const { json } = await calls.create({ amount: '2000000' })
    const before = world.sandbox.outside.wallet().balance
    const { paymentHash } = await world.sandbox.outside.claim(json.data.invoice[which])
    await world.until(async () => (await calls.retrieve(json.data.id)).json.data.status === 'completed')
    expect(world.sandbox.outside.lookUp(paymentHash)).toMatchObject({ state: 'paid' })
    expect(world.sandbox.outside.wallet().balance - before).toBe(sats(2_000))
    await expect(world.sandbox.outside.claim(json.data.invoice.request)).rejects.toThrow(/used/)
  })

  it('are refused in LNURL’s format if their secret is unknown', async () => {
    const { status, json } = await world.raw('GET', '/v0/payload-withdrawal-request?secret=nobody-knows')
    expect([status, json]).toEqual([200, { status: 'ERROR', reason: expect.stringMatching(/\w/) }])
  })

  it('can be read by a wallet that runs in a browser (CORS)', async () => {
    const { headers } = await world.raw('GET', '/v0/payload-withdrawal-request?secret=x')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})
