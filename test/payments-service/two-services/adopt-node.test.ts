import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAdministration } from '../../../src/payments-service/administration/administration.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { Neighbours } from './neighbours.ts'

let world: Neighbours

beforeEach(async () => {
  world = await Neighbours.open()
})
afterEach(() => world.close())

const other = { kind: 'lnd', pubkey: `02${'cd'.repeat(32)}`, network: 'regtest' } as const

/** Runs the command in a process of its own, while time passes for the living services. */
async function adopt(living: Neighbours['all'], startsMeanwhile = false): Promise<unknown> {
  const clock = new ManualClock(world.all[0]?.clock.now())
  const { parts } = world.all[0]?.service ?? {}
  if (parts === undefined) throw new Error('no service was started')
  const adopting = createAdministration({ ...parts, clock, sandbox: false }).adoptNode(other)
  adopting.catch(() => undefined)
  await world.until(() => clock.nextInMs !== undefined)
  await world.pass(6_000, living)
  if (startsMeanwhile) await world.join()
  await clock.advance(6_000)
  return await adopting
}

it('a book cannot adopt another node while any service still uses the book', async () => {
  for (const living of [world.all, world.all.slice(1)]) {
    await expect(adopt(living)).rejects.toThrow(
      'A payments service is using this book. Stop every service that uses it',
    )
  }
  expect(await world.database.read.bookNode.findFirst()).not.toMatchObject({ pubkey: other.pubkey })
})

it('a book cannot adopt another node if a service starts during the adoption', async () => {
  await expect(adopt([], true)).rejects.toThrow('A payments service is using this book')
})

it('a book can adopt another node once all services that used the book are dead', async () => {
  expect(await world.database.read.lease.count({ where: { name: { startsWith: 'process:' } } })).toBe(2)
  expect(await adopt([])).toMatchObject({ pubkey: other.pubkey, since: '2030-01-01T00:00:06.000Z' })
})
