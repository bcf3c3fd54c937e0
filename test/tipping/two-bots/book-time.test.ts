import { afterEach, beforeEach, expect, it } from 'vitest'
import { confirmClock } from '../../../src/assembly/confirm-clock.ts'
import { type Bot, Bots } from './bots.ts'

const MINUTE_MS = 60_000
const STEP_MS = 10_000
/** The time limit for hundreds of steps of two bots, on PostgreSQL too. */
const TIMEOUT_MS = 400_000

let world: Bots
let a: Bot
let b: Bot
let bob: string

beforeEach(async () => {
  world = await Bots.open(2, { sweepEveryMs: MINUTE_MS })
  ;[a, b] = world.all as [Bot, Bot]
  await world.fund(a, 'alice', 20_000)
  bob = await world.linked(a, 'bob')
})

afterEach(() => world.close())

/** Sets both machines' clocks back, and lets an operator confirm them. */
async function setBack(ms: number): Promise<void> {
  for (const { clock } of world.all) clock.jump(-ms)
  await confirmClock(
    {
      provider: { baseUrl: 'http://127.0.0.1:1' } as never,
      service: { databaseUrl: 'file:none' } as never,
      dataFolder: '/nowhere',
      tippingDatabaseUrl: world.database.url,
    },
    a.clock,
  )
}

const bookTime = () => world.database.read.bookTime.findFirstOrThrow()
const asked = () => world.provider.count('payToGamertag')

/** Makes a payment to bob that succeeds, which the bot never learns. */
async function sendUnheard(bot: Bot): Promise<void> {
  world.provider.misbehave('payToGamertag', ...Array(300).fill('act-then-error'))
  await world.tip(bot, 'alice', 'bob', '100')
  await world.idle()
}

/** Makes the provider answer again, without any stored keys. */
function forgetful(): void {
  world.provider.stopMisbehaving('payToGamertag')
  world.provider.forgetKeys()
}

it(
  'a key that was sent before the clock was set back is never sent again',
  async () => {
    await sendUnheard(b)
    await world.pass(8 * MINUTE_MS, undefined, STEP_MS)
    await setBack(5 * MINUTE_MS)
    await world.pass(2 * MINUTE_MS, undefined, STEP_MS)
    expect((await bookTime()).setNumber).toBe(1)
    forgetful()
    const before = asked()
    await world.pass(12 * MINUTE_MS, undefined, STEP_MS)
    expect([asked() - before, world.provider.received.get(bob)]).toEqual([0, 100_000n])
  },
  TIMEOUT_MS,
)

it(
  'a key sent before the bot noticed that the clock was set back is never resent',
  async () => {
    await setBack(5 * MINUTE_MS)
    for (let steps = 0; steps < 10 && (await bookTime()).setNumber === 0; steps += 1) {
      await world.pass(STEP_MS, steps % 2 === 0 ? [a] : [b], STEP_MS)
    }
    expect((await bookTime()).setNumber).toBe(1)
    await sendUnheard(b)
    expect((await world.payout('bob')).sentAt?.getTime()).toBeGreaterThan((await bookTime()).at.getTime())
    await world.pass(2 * MINUTE_MS, undefined, STEP_MS)
    forgetful()
    const before = asked()
    await world.pass(12 * MINUTE_MS, undefined, STEP_MS)
    expect([asked() - before, world.provider.received.get(bob)]).toEqual([0, 100_000n])
  },
  TIMEOUT_MS,
)
