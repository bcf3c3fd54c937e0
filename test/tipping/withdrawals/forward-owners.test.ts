import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { forwardJob } from '../../../src/tipping/engine/gifts/onward.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld } from '../world.ts'
import { type AddressHost, hostAddress } from './outside.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: TippingWorld
let bob: AddressHost
/** The logged errors, which are the bot's own faults. */
let errors: string[]

/**
 * Opens a world in which alice has 10,000 sats, and bob's tips are forwarded to an address that accepts from 100 to
 * 1,000 sats.
 */
beforeEach(async () => {
  errors = []
  const destination = { write: (line: string) => void errors.push(line) }
  world = await TippingWorld.open({
    ...{ wallet: 1_000_000n, logger: createLogger({ level: 'error', name: 'bot', destination }) },
  })
  await world.fund('alice', 10_000)
  bob = await hostAddress(world)
  await start()
})

afterEach(() => bob.close())

const start = (member = 'bob', address = bob.address) =>
  world.run(world.tipping.forwarding.start({ member, address, origin: world.origin() }))
const unlink = () => world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
const forwarding = async (member = 'bob') => (await world.tipping.balances.view(member)).forwarding

/** Tips somebody, and waits for the consequences. */
async function tip(amount: string, member = 'bob'): Promise<void> {
  await world.run(world.tip('alice', member, amount))
  await world.pass(500)
}

/** Makes a tip of 200 sats wait, because bob's address returns no invoice for it. */
async function failOnce(member = 'bob'): Promise<void> {
  const usual = bob.invoice
  bob.invoice = () => ({ status: 'ERROR', reason: 'Bob is asleep.' })
  await tip('200', member)
  bob.invoice = usual
}

const rows = () => world.database.read.withdrawal.findMany({ where: { member: 'bob' }, orderBy: { createdAt: 'asc' } })
const sent = async () => (await rows()).map(({ state, amount }) => [state, Number(amount / 1_000n)])
const jobOf = (id: string) => world.database.read.pollJob.findUnique({ where: { id } })

/** Returns the milliseconds until bob's tips are checked again; undefined if no check is scheduled. */
async function nextInMs(): Promise<number | undefined> {
  const nextAt = (await jobOf(forwardJob('bob')))?.nextAt
  return nextAt == null ? undefined : nextAt.getTime() - world.clock.now()
}

describe('a tip that can be forwarded', () => {
  // What the start itself has looked at is over.
  beforeEach(() => world.pass(500))

  it('is forwarded immediately even if only one of its recipients forwards tips', async () => {
    await world.available('carol')
    await world.run(world.tip('alice', ['carol', 'bob', 'dave'], '200'))
    await world.pass(500)
    expect(await sent()).toEqual([['paid', 190]])
  })

  it('stays in the balance if its recipient ends forwarding just before the booking', async () => {
    const job = await jobOf(forwardJob('bob'))
    world.beforeNextCommit = () =>
      world.database.write.member.update({ where: { id: 'bob' }, data: { forwardTo: null } }).then(() => undefined)
    await tip('200')
    expect(await world.available('bob')).toBe(sats(200))
    const { forwardTo, forwardDue } = await world.database.read.member.findUniqueOrThrow({ where: { id: 'bob' } })
    expect({ forwardTo, forwardDue }).toEqual({ forwardTo: null, forwardDue: 0n })
    expect(await jobOf(forwardJob('bob'))).toEqual(job)
  })
})

describe('sats that wait to be forwarded', () => {
  it('stay in the balance if their address becomes an address of this bot', async () => {
    const own = await world.run(
      world.tipping.addresses.take({ member: 'carol', ideas: ['carol'], origin: world.origin() }),
    )
    await world.database.write.address.update({ where: { id: own.id }, data: { address: bob.address } })
    await tip('200')
    expect(await sent()).toEqual([])
    expect(await forwarding()).toMatchObject({ due: sats(200), again: expect.any(Date) })
    expect((await world.database.read.member.findUniqueOrThrow({ where: { id: 'bob' } })).forwardProblem).toBe(
      'address-here',
    )
  })

  it('are polled under a job id that must not change between versions', async () => {
    expect(await jobOf('forward-bob')).toMatchObject({ kind: 'forward' })
  })

  it('decrease by what their owner pays to the address, but keep their due time', async () => {
    await failOnce()
    const waiting = await forwarding()
    expect(waiting).toMatchObject({ due: sats(200), again: expect.any(Date) })
    await world.fund('bob', 1_000)
    const { withdrawals } = world.tipping
    for (const [outcome, due] of [
      ['completed', sats(90)],
      ['failed', 0n],
    ] as const) {
      world.provider.outgoing.next = outcome
      const { id } = await withdrawals.ask({ member: 'bob', amount: '100', to: bob.address, origin: world.origin() })
      await world.run(withdrawals.confirm({ withdrawal: id, member: 'bob', origin: world.origin() }))
      expect(await forwarding()).toEqual({ ...waiting, due })
    }
    expect(await sent()).toEqual([
      ['paid', 100],
      ['returned', 100],
    ])
  })

  it('are not due sooner if another member’s payment to the address succeeds', async () => {
    await failOnce()
    await start('carol')
    await failOnce('carol')
    const waiting = await forwarding()
    expect(waiting).toMatchObject({ due: sats(200), again: expect.any(Date) })
    await start('carol')
    await world.pass(1_000)
    expect(await forwarding('carol')).toMatchObject({ sent: sats(190), again: undefined })
    expect(await forwarding()).toEqual(waiting)
  })

  it.each([
    ['forwarding is stopped', unlink],
    ['another address is set', () => start('bob', `carol@${bob.address.split('@')[1]}`)],
  ])('are no longer due if %s and the payment in flight then fails', async (_, change) => {
    world.provider.outgoing.next = 'processing'
    await tip('200')
    expect(await sent()).toEqual([['sending', 190]])
    await change()
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'failed')
    await world.pass(MINUTE)
    expect(await sent()).toEqual([['returned', 190]])
    expect(await world.available('bob')).toBe(sats(200))
    expect((await forwarding())?.due ?? 0n).toBe(0n)
    expect(errors).toEqual([])
  })

  it('are no longer due if their owner restarts forwarding during the invoice request', async () => {
    const usual = bob.invoice
    bob.invoice = async (amount) => {
      bob.invoice = usual
      await unlink()
      await world.tipping.forwarding.start({ member: 'bob', address: bob.address, origin: world.origin() })
      return usual(amount)
    }
    await tip('200')
    await world.pass(HOUR)
    expect(await sent()).toEqual([])
    expect(await forwarding()).toMatchObject({ due: 0n, again: undefined })
    expect(errors).toEqual([])
  })

  it('are sent soon after an error in the bot, which does not count as a failure', async () => {
    const usual = bob.invoice
    bob.invoice = (amount) => {
      bob.invoice = usual
      world.failCommits = 1
      return usual(amount)
    }
    await tip('200')
    expect(await sent()).toEqual([])
    expect(await forwarding()).toMatchObject({ due: sats(200), again: undefined })
    expect(errors).toEqual([expect.stringContaining('database or disk is full')])
    await world.pass(MINUTE)
    expect(await sent()).toEqual([['paid', 190]])
  })

  it('are not polled during a pause if none are due', async () => {
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await start()
    await world.pass(1_000)
    expect(await nextInMs()).toBeUndefined()
  })
})

describe('a forwarding payment in flight', () => {
  const lose = () => world.provider.misbehave('sendPayment', 'act-then-reset', ...Array<Fault>(300).fill('error'))
  it.each<[string, () => unknown]>([
    ['reserved', () => world.tipping.close().then(() => world.start({ maxConcurrentPayouts: 0 }))],
    ['sending', () => Object.assign(world.provider.outgoing, { next: 'processing' })],
    ['unknown', lose],
  ])('prevents another request to the address; later sats wait an hour (state: %s)', async (state, begin) => {
    await begin()
    await tip('200')
    await world.pass(MINUTE)
    expect(await sent()).toEqual([[state, 190]])
    const asked = bob.asked.length
    await tip('400')
    expect(bob.asked).toHaveLength(asked)
    expect(await nextInMs()).toBeGreaterThan(HOUR - MINUTE)
    expect(await nextInMs()).toBeLessThanOrEqual(HOUR)
    expect(errors).toEqual([])
  })

  it('is polled for the first time 2 seconds after its sats are reserved', async () => {
    await world.tipping.close()
    await world.start({ maxConcurrentPayouts: 0 })
    await tip('200')
    const [row] = await rows()
    const born = row?.createdAt ?? new Date(0)
    expect(await jobOf(row?.id ?? '')).toMatchObject({
      ...{ kind: 'withdrawal', token: row?.token, bornAt: born, nextAt: new Date(born.getTime() + 2_000) },
    })
  })

  it('is returned at the next start after an error in the bot, which is logged', async () => {
    await world.tipping.close()
    await world.start({
      callbackUrl: () => {
        throw new Error('broken')
      },
    })
    await tip('200')
    expect(errors).toEqual([expect.stringMatching(/(?=.*"task":"withdrawal").*broken/)])
    expect(await sent()).toEqual([['reserved', 190]])
    await world.restart()
    expect((await sent())[0]).toEqual(['returned', 190])
  })
})

describe('a member whose tips are not forwarded', () => {
  it('keeps their linked account when another member starts forwarding', async () => {
    await world.linked('carol')
    await start()
    expect((await world.tipping.balances.view('carol')).link).toMatchObject({ gamertag: 'carol-tag' })
  })

  it('can set a kept part only with a link, and is not polled if linked to an account', async () => {
    await world.linked('carol')
    await world.linked('dave')
    const keep = (member: string) => world.tipping.forwarding.keep({ member, amount: '300', origin: world.origin() })
    await world.tipping.links.unlink({ member: 'dave', origin: world.origin() })
    for (const member of ['dave', 'alice']) await expect(keep(member)).rejects.toMatchObject({ code: 'not-linked' })
    expect(await keep('carol')).toBe(sats(300))
    // Nothing is sent on to a linked account, so nothing looks for it.
    expect(await jobOf(forwardJob('carol'))).toBeNull()
  })
})
