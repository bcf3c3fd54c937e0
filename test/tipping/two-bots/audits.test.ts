import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bot, Bots } from './bots.ts'

let world: Bots
let a: Bot
let b: Bot

beforeEach(async () => {
  world = await Bots.open()
  ;[a, b] = world.all as [Bot, Bot]
})

afterEach(() => world.close())

describe('one of several bots', () => {
  it('puts the wallet’s surplus in suspense, and the others do not', async () => {
    world.provider.wallet += 5_000n
    for (let i = 0; i < 4; i += 1) {
      await Promise.all([a, b].map(({ tipping }) => tipping.audit()))
      await world.pass(200_000, world.all, 20_000)
    }
    const booked = await world.database.read.account.findFirstOrThrow({ where: { kind: 'suspense' } })
    expect(booked.balance).toBe(5_000n)
  })

  it('counts the age of a surplus from the moment when it began to manage the book', async () => {
    const suspense = () =>
      world.database.read.account.findFirst({ where: { kind: 'suspense' } }).then((found) => found?.balance ?? 0n)
    world.provider.wallet += 5_000n
    await a.tipping.audit()
    world.provider.wallet -= 5_000n
    // While a is frozen, b looks after the book; then b dies, and a does again.
    await world.pass(60_000, [b])
    await world.pass(10_000)
    await world.endOf(b)
    await world.pass(300_000, [a], 20_000)
    world.provider.wallet += 5_000n
    await a.tipping.audit()
    expect(await suspense()).toBe(0n)
    await world.pass(300_000, [a], 20_000)
    await a.tipping.audit()
    expect(await suspense()).toBe(5_000n)
  })

  it('does not book a surplus that operators book at another bot during its audit', async () => {
    const { read } = world.database
    world.provider.wallet += 5_000n
    await a.tipping.audit()
    await world.pass(300_000, world.all, 20_000)
    // It has read the wallet, and has told operators what it has found.
    a.afterCommit = async () => {
      a.afterCommit = () => {}
      const booked = { what: 'top-up', amount: '5', reason: 'I paid it in' } as const
      for (const operator of ['olga', 'oscar']) await b.tipping.administration.book({ ...booked, operator })
    }
    expect((await a.tipping.audit()).faults).toEqual([expect.stringContaining('5 sats more')])
    expect(await read.booking.findMany()).toMatchObject([{ state: 'done' }])
    expect(await read.account.findFirst({ where: { kind: 'suspense' } })).toBeNull()
    expect((await a.tipping.audit()).faults).toEqual([])
  })
})

describe('the end of a pause', () => {
  const paused = async () => (await b.tipping.administration.status()).paused?.reason
  const missing = async (bot: Bot) => {
    world.provider.wallet -= 5_000n
    expect((await bot.tipping.audit()).holds).toBe(false)
  }
  /** Starts an audit of this bot, which reads a wallet that covers everything. */
  async function beginAudit({ tipping }: Bot): Promise<{ end(): Promise<void> }> {
    const held = world.hold('getWallet', () => {
      world.provider.wallet += 5_000n
    })
    const audit = tipping.audit()
    await held.asked
    return {
      async end() {
        held.letGo()
        expect((await audit).faults).toEqual([])
      },
    }
  }

  it('is not caused by an audit that began before the pause', async () => {
    const first = await beginAudit(a)
    await missing(b)
    await first.end()
    expect(await paused()).toContain('5 sats less')
    await a.tipping.audit()
    expect(await paused()).toBeUndefined()
  })

  it('is not caused by an audit that began before another bot found the fault again', async () => {
    await missing(b)
    const first = await beginAudit(a)
    expect((await b.tipping.audit()).holds).toBe(false)
    await first.end()
    expect(await paused()).toContain('5 sats less')
    await a.tipping.audit()
    expect(await paused()).toBeUndefined()
  })

  it('can be requested by an operator at another bot, and is reported once', async () => {
    await b.tipping.administration.pause({ operator: 'olivia', reason: 'looking' })
    for (let times = 0; times < 2; times += 1) {
      expect(await a.tipping.administration.resume({ operator: 'olaf' })).toBeUndefined()
    }
    const told = await a.tipping.administration.untoldAlerts(10)
    expect(told.map(({ text }) => text).filter((text) => /olaf.* ended the operators' pause/.test(text))).toHaveLength(
      1,
    )
  })
})
