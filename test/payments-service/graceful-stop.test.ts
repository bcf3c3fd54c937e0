import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { type RawAnswer, ServiceWorld, type TestProject } from './harness.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project()
})
/** Sends a request; resolves to its answer, or to undefined if the connection ended without an answer. */
function post(path: string, key: string, body: object): Promise<RawAnswer | undefined> {
  const { apiKey } = project
  return world.raw('POST', path, { apiKey, body, headers: { 'idempotency-key': key } }).catch(() => undefined)
}

describe('during a stop', () => {
  it('every answered change takes effect exactly once', async () => {
    const userId = await world.user('alice')
    const tip = (i: number) =>
      post('/v0/gamertag/send-payment', `tip-${i}`, { gamertag: 'alice', amount: '1000', description: `${i}` })
    const numbers = Array.from({ length: 200 }, (_, i) => i)
    const answers = numbers.map(tip)
    await Promise.race(answers)
    await world.restart()
    const answered = (await Promise.all(answers)).filter((answer) => answer !== undefined)
    expect(answered.map((answer) => answer.status)).toEqual(answered.map(() => 200))
    const holder = { kind: 'user', id: userId } as const
    expect(await world.balance(holder)).toBeGreaterThanOrEqual(sats(answered.length))

    for (const answer of await Promise.all(numbers.map(tip))) expect(answer?.status).toBe(200)
    expect(await world.balance(holder)).toBe(sats(numbers.length))
  })

  it('a hanging payment is reported as processing and completed after the next start', async () => {
    world.sandbox.setFault('unknown-then-paid', { delayMs: 60_000 })
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(100) })
    const asking = post('/v0/payments', 'pay', { invoice })
    const { read } = world.service.parts.database
    await world.until(async () => (await read.payment.count({ where: { status: 'sending' } })) === 1)
    const stopping = world.service.close()
    const answer = await world.clock.advanceUntil(asking)
    expect(answer?.json.data).toMatchObject({ status: 'processing', preimage: null })
    await world.clock.advanceUntil(stopping)

    await world.clock.advanceUntil(world.restart())
    await world.clock.advance(120_000)
    const path = `/v0/payments/${answer?.json.data.id}`
    const state = async () => (await world.raw('GET', path, { apiKey: project.apiKey })).json.data.status
    await world.until(async () => (await state()) === 'completed')
    expect((await post('/v0/payments', 'pay', { invoice }))?.json.data.status).toBe('completed')
  })

  it('the service stops even if a caller leaves a request unfinished', async () => {
    const { Socket } = await import('node:net')
    const socket = new Socket()
    const { hostname, port } = new URL(world.url)
    await new Promise<void>((resolve) => socket.connect(Number(port), hostname, resolve))
    socket.on('error', () => undefined)
    const half = `POST /v0/payments HTTP/1.1\r\nhost: x\r\napikey: ${project.apiKey}\r\ncontent-length: 100\r\n\r\n{"inv`
    await new Promise((resolve) => socket.write(half, resolve))
    await world.raw('GET', '/health')
    await world.clock.advanceUntil(world.restart())
    expect((await world.raw('GET', '/health')).status).toBe(200)
    socket.destroy()
  })
})
