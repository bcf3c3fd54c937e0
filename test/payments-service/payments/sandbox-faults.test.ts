import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
})

afterEach(() => world.close())

const fault = (next: string, more: object = {}) => world.raw('POST', '/sandbox/faults', { body: { next, ...more } })
const balance = () => world.balance({ kind: 'project', id: project.projectId })

async function pay() {
  const { json } = await world.raw('POST', '/sandbox/invoice', { body: { amount: '1000000' } })
  const before = world.sandbox.outside.wallet().balance
  const answer = world.raw('POST', '/v0/payments', { apiKey: project.apiKey, body: { invoice: json.invoice } })
  const received = () => world.sandbox.outside.wallet().balance - before
  return { answer, received, paymentHash: json.paymentHash as string }
}

const read = async (id: string) => (await world.raw('GET', `/v0/payments/${id}`, { apiKey: project.apiKey })).json.data
const ends = (id: string, status: string) => world.until(async () => (await read(id)).status === status)

describe('over the sandbox, a payment', () => {
  it('without a fault is completed: 1 sat and 0.1 % for the way, and the payee has it', async () => {
    const { answer, received } = await pay()
    expect((await answer).json.data).toMatchObject({ status: 'completed', fee: '2000' })
    expect(received()).toBe(sats(1_000))
    expect(await balance()).toBe(sats(8_998))
  })

  it('that fails is answered as failed, and costs nothing', async () => {
    await fault('fail')
    const { answer, received } = await pay()
    expect((await answer).json.data).toMatchObject({ status: 'failed', preimage: null })
    expect([received(), await balance()]).toEqual([0n, sats(10_000)])
  })

  it.each([
    ['settle', 'completed', sats(8_998), sats(1_000)],
    ['fail', 'failed', sats(10_000), 0n],
  ])(
    'that hangs is processing after five seconds, and ends when the node lets go (%s)',
    async (outcome, status, left, got) => {
      await fault('hang')
      const { answer, received, paymentHash } = await pay()
      await world.until(() => world.sandbox.outside.lookUp(paymentHash) !== undefined)
      const { json } = await world.clock.advanceUntil(answer)
      expect(json.data).toMatchObject({ status: 'processing', fee: '0', preimage: null })
      expect(await balance()).toBe(sats(8_990))
      await world.raw('POST', '/sandbox/release', { body: { outcome } })
      await ends(json.data.id, status)
      expect([await balance(), received()]).toEqual([left, got])
    },
  )

  it.each([
    ['unknown-then-paid', 'completed', sats(8_998), sats(1_000)],
    ['unknown-then-failed', 'failed', sats(10_000), 0n],
  ])('that is %s is processing, and looked up until it ends', async (next, status, left, got) => {
    await fault(next)
    const { answer, received } = await pay()
    const { json } = await answer
    expect(json.data.status).toBe('processing')
    for (let second = 0; second < 20 && (await read(json.data.id)).status !== status; second += 1) {
      await world.clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ends(json.data.id, status)
    expect([await balance(), received()]).toEqual([left, got])
  })

  it('that is overcharged costs the wallet the limit', async () => {
    await fault('overcharge')
    const { answer } = await pay()
    expect((await answer).json.data).toMatchObject({ status: 'completed', fee: '10000' })
    expect(await balance()).toBe(sats(8_990))
  })

  it('that hangs survives a restart of the service', async () => {
    await fault('hang')
    const { answer } = await pay()
    const { json } = await world.clock.advanceUntil(answer)
    const restarting = world.restart()
    await world.clock.advanceUntil(restarting)
    expect((await read(json.data.id)).status).toBe('processing')
    await world.raw('POST', '/sandbox/release', { body: { outcome: 'settle' } })
    for (let step = 0; step < 30 && (await read(json.data.id)).status !== 'completed'; step += 1) {
      await world.clock.advance(10_000)
    }
    await ends(json.data.id, 'completed')
    expect(await balance()).toBe(sats(8_998))
  })
})
