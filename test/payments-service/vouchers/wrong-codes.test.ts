import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { createWrongCodes, type Guesser } from '../../../src/payments-service/engine/limits/wrong-codes.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { VoucherCalls } from '../voucher-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: VoucherCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new VoucherCalls(world, project)
})

describe('a user who redeems codes', () => {
  it('is locked out for 10 minutes after 10 wrong codes, even if the next one is right', async () => {
    const id = await world.user('alice')
    const { data } = (await calls.create()).json
    for (let i = 0; i < 10; i += 1) {
      await expect(calls.redeemAsUser(id, 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher_not_found' })
    }
    await expect(calls.redeemAsUser(id, data.code)).rejects.toMatchObject({
      code: 'too_many_wrong_codes',
      message: expect.stringMatching(/in 10 min/),
      headers: { 'retry-after': '600' },
    })
    const bob = await world.user('bob')
    await expect(calls.redeemAsUser(bob, 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher_not_found' })
    await world.clock.advance(599_999)
    await expect(calls.redeemAsUser(id, data.code)).rejects.toMatchObject({ code: 'too_many_wrong_codes' })
    await world.clock.advance(1)
    await calls.redeemAsUser(id, data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(250_000n)
  })

  it('is not locked out by right codes', async () => {
    const id = await world.user('alice')
    for (let i = 0; i < 15; i += 1)
      await calls.redeemAsUser(id, (await calls.create({ amount: '1000' })).json.data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(15_000n)
  })
})

describe('wrong codes', () => {
  const wrong = () => createWrongCodes(world.service.parts)
  const guess = (guesser: Guesser, times: number) =>
    Promise.all(Array.from({ length: times }, () => wrong().count(guesser)))
  const lockedOut = (seconds: number, minutes: number) => ({
    code: 'too_many_wrong_codes',
    message: `Too many wrong voucher codes. Try again in ${minutes} min.`,
    headers: { 'retry-after': String(seconds) },
  })

  it.each<[string, number, Guesser, Guesser[]]>([
    ['a user', 10, { user: 'x' }, [{ user: 'y' }, { apiKey: 'x' }, { address: 'x' }]],
    ['an API key', 300, { apiKey: 'x' }, [{ apiKey: 'y' }, { user: 'x' }]],
    ['an address', 300, { address: '203.0.113.7' }, [{ address: '203.0.113.8' }, { apiKey: '203.0.113.7' }]],
    ['a network', 300, { address: '2001:db8::1' }, [{ address: '2001:db8:0:1::1' }]],
    ['an unreadable address', 300, { address: 'a socket' }, [{ address: 'another' }]],
  ])('lock out only their sender, for 10 minutes: %s after %d wrong codes', async (_who, most, guesser, others) => {
    await guess(guesser, most - 1)
    await wrong().refuse(guesser)
    await wrong().count(guesser)
    await expect(wrong().refuse(guesser)).rejects.toMatchObject(lockedOut(600, 10))
    await expect(wrong().count(guesser)).rejects.toMatchObject(lockedOut(600, 10))
    for (const other of others) await wrong().refuse(other)
  })

  it('count together for all addresses of an IPv6 network', async () => {
    await guess({ address: '2001:db8::1' }, 300)
    await expect(wrong().refuse({ address: '2001:db8::ffff' })).rejects.toMatchObject(lockedOut(600, 10))
  })

  it('expire one by one, and the refusal states the remaining waiting time', async () => {
    await guess({ user: 'x' }, 1)
    await world.clock.advance(60_001)
    await guess({ user: 'x' }, 9)
    await expect(wrong().refuse({ user: 'x' })).rejects.toMatchObject(lockedOut(540, 9))
    await world.clock.advance(539_998)
    await expect(wrong().refuse({ user: 'x' })).rejects.toMatchObject(lockedOut(1, 1))
    await world.clock.advance(1)
    await wrong().refuse({ user: 'x' })
    await guess({ user: 'x' }, 1)
    await expect(wrong().refuse({ user: 'x' })).rejects.toMatchObject(lockedOut(61, 2))
  })

  it('are ignored if they were recorded by a clock more than 10 minutes ahead', async () => {
    const at = (ms: number) => ({ guesser: 'user:x', at: new Date(world.clock.now() + ms) })
    const write = (ms: number, times: number) =>
      world.service.parts.ledger.commit({
        write: (tx) => tx.wrongCode.createMany({ data: Array.from({ length: times }, () => at(ms)) }),
      })
    await write(600_001, 10)
    await wrong().refuse({ user: 'x' })
    await write(600_000, 10)
    await expect(wrong().refuse({ user: 'x' })).rejects.toMatchObject({ code: 'too_many_wrong_codes' })
  })
})
