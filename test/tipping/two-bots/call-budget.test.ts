import { REST } from '@discordjs/rest'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CALLS_PER_SECOND, callsAt, Permits } from '../../../src/bot/transport/permits.ts'
import { createEmulator } from '../../../src/discord-emulator/emulator.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { OwnershipLost } from '../../../src/lib/ownership/ownership.ts'
import type { Urgency } from '../../../src/tipping/tipping.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { type Bot, Bots } from './bots.ts'

const POOL = 45
/** The wait for a dead process's lease to end, which is longer than it can last. */
const LEASE_IS_GONE_MS = 40_000

let world: Bots
beforeEach(async () => {
  world = await Bots.open(3)
})
afterEach(async () => {
  await world.close()
})

const bot = (at: number) => world.all[at] as Bot
const none = { answer: 0, card: 0, background: 0 }
const ask = ({ tipping }: Bot, keeps: number, wanted: Partial<Record<Urgency, number>>, invalid = 0) =>
  tipping.callBudget.ask({ keeps, wanted: { ...none, ...wanted }, invalid, pool: POOL })

describe('the permits in the book', () => {
  it('go to a busy process while unused, and are freed when another has urgent calls', async () => {
    expect(await ask(bot(1), 0, {})).toMatchObject({ granted: 5, target: 5 })
    expect(await ask(bot(0), 0, { background: 300 })).toMatchObject({ granted: 40, target: 40 })

    expect(await ask(bot(1), 5, { answer: 30 })).toMatchObject({ granted: 5, target: 30 })
    expect(await ask(bot(0), 40, { background: 300 })).toMatchObject({ granted: 40, target: 15 })
    expect(await ask(bot(0), 15, { background: 300 })).toMatchObject({ granted: 15 })
    expect(await ask(bot(1), 5, { answer: 30 })).toMatchObject({ granted: 30 })
  })

  it('are never granted beyond the number in the book', async () => {
    await ask(bot(0), 0, { card: 100 })
    expect(await ask(bot(1), 45, { card: 100 })).toMatchObject({ granted: 0 })
  })

  it('are free once their process is dead and its lease has expired', async () => {
    await ask(bot(0), 0, { card: 100 })
    expect(await ask(bot(1), 0, { card: 100 })).toMatchObject({ granted: 0 })

    await world.endOf(bot(0))
    await world.pass(LEASE_IS_GONE_MS)

    expect(await ask(bot(1), 0, { card: 100 })).toMatchObject({ granted: POOL })
  })

  it('are neither used nor granted while their process counts as dead', async () => {
    await ask(bot(0), 0, { card: 100 })
    expect(bot(0).tipping.callBudget.isLive()).toBe(true)
    await world.pass(LEASE_IS_GONE_MS, [bot(1), bot(2)])

    await expect(ask(bot(0), 45, { card: 200 })).rejects.toThrow(OwnershipLost)

    // It finds out with its next renewal, and goes on as another, to which nothing belongs.
    await world.pass(5_000, [bot(0)])
    expect(bot(0).tipping.callBudget.isLive()).toBe(false)
  })

  it('are reported with the other processes’ invalid calls of the last 10 minutes', async () => {
    await ask(bot(0), 0, {}, 700)
    await ask(bot(1), 0, {}, 20)
    expect(await ask(bot(2), 0, {}, 3)).toMatchObject({ invalidOfOthers: 720 })
    await world.endOf(bot(0))

    await world.pass(5 * 60_000, [bot(1), bot(2)], 10_000)
    expect(await ask(bot(2), 5, {}, 0)).toMatchObject({ invalidOfOthers: 720 })
    await world.pass(6 * 60_000, [bot(1), bot(2)], 10_000)
    expect(await ask(bot(2), 5, {}, 0)).toMatchObject({ invalidOfOthers: 0 })
  })
})

describe('the permits at Discord', () => {
  const STEP_MS = 50

  /** Runs processes that each have their own permits and client; time passes for Discord and all processes at once. */
  async function storm(processes: number) {
    const clock = new ManualClock()
    const emulator = await createEmulator({ clock, entropy: systemEntropy, requestsPerSecond: CALLS_PER_SECOND })
    onTestFinished(() => emulator.close())
    const done: string[] = []
    let open = 0
    const all = await Promise.all(
      world.all.slice(0, processes).map(async ({ tipping }) => {
        const options = { budget: tipping.callBudget, clock, logger: silentLogger, callsPerSecond: CALLS_PER_SECOND }
        const permits = new Permits(options)
        onTestFinished(() => permits.close())
        const rest = new REST({
          ...{ version: '10', api: emulator.restUrl, globalRequestsPerSecond: Number.POSITIVE_INFINITY },
          makeRequest: permits.carry(fetch as never),
          timeout: 2 ** 31 - 1,
        }).setToken(emulator.token)
        await permits.start()
        let calls = 0
        const call = (urgency: Urgency, name: string) => {
          open += 1
          calls += 1
          // Each has a queue of its own in the client.
          const query = new URLSearchParams({ limit: '1', after: String(calls) })
          const asked = callsAt(rest, urgency).get(`/guilds/${100_000_000_000_000_000n + BigInt(calls)}`, { query })
          void asked
            .catch(() => undefined)
            .finally(() => {
              open -= 1
              done.push(name)
            })
        }
        return { permits, call }
      }),
    )
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        await clock.advance(STEP_MS)
        await world.idle()
        // Calls over loopback are answered within this time of the world.
        for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const untilDone = async (limitMs: number) => {
      for (let passed = 0; open > 0 && passed < limitMs; passed += STEP_MS) await pass(STEP_MS)
      return open
    }
    const refused = () => emulator.requests().filter(({ status }) => status === 429).length
    return { all, done, pass, untilDone, refused, emulator }
  }

  it('let three processes in a storm use the whole limit without exceeding it', async () => {
    const { all, untilDone, refused, emulator } = await storm(3)
    for (const { call } of all) for (let at = 0; at < 120; at += 1) call('card', 'card')

    expect(await untilDone(12_000)).toBe(0)

    expect(refused()).toBe(0)
    expect(emulator.requests().filter(({ path }) => path.startsWith('/guilds/')).length).toBe(360)
  })

  it('let urgent calls be sent first while another process is busy', async () => {
    const { all, done, pass, untilDone, refused } = await storm(2)
    const [busy, asked] = all
    for (let at = 0; at < 200; at += 1) busy?.call('background', 'background')
    await pass(1_000)
    const before = done.length
    for (let at = 0; at < 20; at += 1) {
      busy?.call('card', 'card')
      busy?.call('answer', 'answer')
      asked?.call('answer', 'answer of the other')
    }
    expect(await untilDone(15_000)).toBe(0)

    const order = done.slice(before)
    const last = (name: string) => order.lastIndexOf(name)
    expect(last('answer')).toBeLessThan(last('card'))
    expect(last('card')).toBeLessThan(last('background'))
    expect(last('answer of the other')).toBeLessThan(120)
    expect(refused()).toBe(0)
  })
})
