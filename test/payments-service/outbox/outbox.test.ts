import { afterEach, beforeEach, expect, it } from 'vitest'
import { callbackRows } from '../../../src/payments-service/engine/outbox/record-callback.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
  project = await world.project()
})
afterEach(() => receiver.close())

/** Puts a callback into the outbox, with a number in its body that identifies it. */
async function tell(number: number, resource = 'thing:1', url = receiver.url()) {
  const body = { number } as never
  const rows = callbackRows(world.service.parts, { projectId: project.projectId, resource, url, kind: 'charge', body })
  await world.service.parts.ledger.commit({ rows })
}
const numbers = () => receiver.received.map((callback) => callback.json.number)
const state = async () =>
  (await world.administration.listCallbacks()).map(({ state, attempts }) => ({ state, attempts }))
const delivered = () => world.until(async () => (await state()).length === 0)

it('one resource’s callbacks arrive in order even if the first attempts fail', async () => {
  let failures = 2
  receiver.answer = () => (failures-- > 0 ? 500 : 200)
  for (const number of [1, 2, 3]) await tell(number)
  await world.until(async () => (await state()).some(({ attempts }) => attempts === 1))
  await world.clock.advance(5_000)
  await world.until(async () => (await state()).some(({ attempts }) => attempts === 2))
  await world.clock.advance(15_000)
  await delivered()
  expect(numbers()).toEqual([1, 1, 1, 2, 3])
  expect(new Set(receiver.received.map((callback) => callback.headers['webhook-id'])).size).toBe(3)
})

it('a project whose receivers all hang delays no other project', { timeout: 30_000 }, async () => {
  const hanging = await Promise.all(Array.from({ length: 33 }, () => CallbackReceiver.open()))
  for (const each of hanging) each.answer = () => undefined
  const mallory = await world.project()
  const rows = hanging.flatMap((each) =>
    Array.from({ length: 256 }, (_, number) =>
      callbackRows(world.service.parts, {
        ...{ projectId: mallory.projectId, resource: `${each.url()}:${number}`, url: each.url() },
        ...{ kind: 'charge', body: { number } as never },
      }),
    ).flat(),
  )
  await world.service.parts.ledger.commit({ rows })
  await world.until(() => hanging.some(({ received }) => received.length === 16))
  await tell(1)
  // The time is only a limit for a failure: the clock stands still, so that no delivery that hangs ever ends.
  const arrived = world.until(() => receiver.received.length === 1).then(() => 'delivered')
  const limit = new Promise((resolve) => setTimeout(resolve, 8_000, 'waits behind another project').unref())
  const outcome = await Promise.race([arrived, limit])
  await Promise.all(hanging.map((each) => each.close()))
  expect(outcome).toBe('delivered')
})

it('an attempt without an answer is given up after ten seconds and retried later', async () => {
  receiver.answer = () => undefined
  await tell(1)
  await world.until(() => receiver.received.length === 1)
  // A shorter limit would have given up. Its attempt would be counted before this later change is.
  await world.clock.advance(9_999)
  await world.project()
  expect((await state())[0]?.attempts).toBe(0)
  await world.clock.advance(1)
  await world.until(async () => (await state())[0]?.attempts === 1)
  receiver.answer = () => 200
  await world.clock.advance(5_000)
  await delivered()
})

it.each<[string, CallbackReceiver['end']]>([
  ['is long', (response) => response.end('x'.repeat(200_000))],
  ['never ends', (response) => void response.write('and then')],
])('a 2xx answer counts as a success even if its body %s', async (_what, end) => {
  receiver.answer = () => 200
  receiver.end = end
  await tell(1)
  await world.until(() => receiver.received.length === 1)
  await world.clock.advance(9_999)
  await world.clock.advance(1)
  await delivered()
  expect(receiver.received).toHaveLength(1)
})

it('a restart delivers the callbacks that were pending at the stop', async () => {
  receiver.answer = () => 500
  await tell(1)
  await world.until(async () => (await state())[0]?.attempts === 1)
  await world.restart()
  receiver.answer = () => 200
  await world.clock.advance(5_000)
  await delivered()
  expect(numbers()).toEqual([1, 1])
})

it('after a rotation both secrets sign; the next rotation drops the older secret', async () => {
  const rotate = async () => (await world.administration.rotateSecret(project.projectId)).callbackSecret
  const signatures = async () => {
    await world.clock.advance(1_000)
    await tell(receiver.received.length)
    await delivered()
    return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length
  }
  expect(await signatures()).toBe(1)
  await rotate()
  expect(await signatures()).toBe(2)
  await rotate()
  expect(await signatures()).toBe(2)
})
