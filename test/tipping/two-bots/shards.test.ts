import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBot, type Bot as Front } from '../../../src/bot/bot.ts'
import { createEmulator, type Emulator } from '../../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { OwnershipLost } from '../../../src/lib/ownership/ownership.ts'
import type { ShardSession } from '../../../src/tipping/tipping.ts'
import { type Bot, Bots } from './bots.ts'

let world: Bots
beforeEach(async () => {
  world = await Bots.open()
})
afterEach(async () => {
  await world.close()
})

const session = (id: string): ShardSession => ({ id, resumeUrl: 'wss://resume.test', sequence: 7, intents: 1 })
const bot = (at: number) => world.all[at] as Bot
const ownOf = async ({ tipping }: Bot, recommended = 4) => [...(await tipping.shards.take(recommended)).own.keys()]

describe('the shards in the book', () => {
  it('go to a lone process, or half to each of two, with their earlier sessions', async () => {
    const [first, second] = [bot(0), bot(1)]
    expect(await ownOf(first)).toEqual([0, 1, 2, 3])
    await first.tipping.shards.save(new Map([0, 1, 2, 3].map((shard) => [shard, session(`s${shard}`)])))
    expect(await ownOf(second)).toEqual([])

    const { surplus } = await first.tipping.shards.take(4)
    expect(surplus).toEqual([2, 3])
    await first.tipping.shards.giveBack(new Map(surplus.map((shard) => [shard, session(`later ${shard}`)])))

    const { own } = await second.tipping.shards.take(4)
    expect([...own]).toEqual([2, 3].map((shard) => [shard, session(`later ${shard}`)]))
    expect(await ownOf(first)).toEqual([0, 1])
  })

  it('are not given to a surplus process until another process leaves', async () => {
    expect(await ownOf(bot(0), 1)).toEqual([0])
    expect(await ownOf(bot(1), 1)).toEqual([])

    await bot(0).tipping.shards.leave(new Map([[0, session('kept')]]))

    const { own } = await bot(1).tipping.shards.take(1)
    expect([...own]).toEqual([[0, session('kept')]])
  })

  it('are free once their process is dead and its lease has expired', async () => {
    const [first, second] = [bot(0), bot(1)]
    await ownOf(first, 2)
    await first.tipping.shards.save(new Map([0, 1].map((shard) => [shard, session(`s${shard}`)])))
    await ownOf(second, 2)
    first.kill()

    await world.pass(20_000)
    expect(await ownOf(second, 2)).toEqual([])
    await world.pass(20_000)

    expect(await ownOf(second, 2)).toEqual([0, 1])
  })

  it('have their sessions begun by one process at a time', async () => {
    await ownOf(bot(0), 2)
    await ownOf(bot(1), 2)
    const { surplus } = await bot(0).tipping.shards.take(2)
    await bot(0).tipping.shards.giveBack(new Map(surplus.map((shard) => [shard, undefined])))
    expect(await ownOf(bot(1), 2)).toEqual([])

    await bot(0).tipping.shards.save(new Map([[0, session('begun')]]))

    expect(await ownOf(bot(1), 2)).toEqual([1])
  })

  it('have one session begun in each of Discord’s start buckets every 5 seconds', async () => {
    const [first, second] = [bot(0), bot(1)]
    await ownOf(first, 4)
    expect(await first.tipping.shards.turn(0, 2)).toBe(0)
    expect(await first.tipping.shards.turn(1, 2)).toBe(0)
    expect(await second.tipping.shards.turn(2, 2)).toBeGreaterThan(4_900)
    await world.pass(5_500)
    expect(await second.tipping.shards.turn(2, 2)).toBe(0)
    expect(await first.tipping.shards.turn(0, 2)).toBeGreaterThan(4_900)
  })

  it('can change in number once no process runs any', async () => {
    await ownOf(bot(0), 2)
    await bot(0).tipping.shards.save(new Map([[0, session('of two')]]))
    expect((await bot(1).tipping.shards.take(3)).count).toBe(2)

    await bot(0).tipping.shards.leave(new Map())
    await bot(1).tipping.shards.leave(new Map())

    const { count, own } = await bot(0).tipping.shards.take(3)
    expect(count).toBe(3)
    expect([...own]).toEqual([0, 1, 2].map((shard) => [shard, undefined]))
  })

  it('never go to a process without a lease', async () => {
    const [first, second] = [bot(0), bot(1)]
    await ownOf(second)
    await second.tipping.shards.leave(new Map())
    await world.pass(40_000, [second])

    await expect(first.tipping.shards.take(4)).rejects.toThrow(OwnershipLost)
    expect(await ownOf(second)).toEqual([0, 1, 2, 3])
  })

  it('keep newer sessions when a process that was silent for too long saves its own', async () => {
    const [first, second] = [bot(0), bot(1)]
    await ownOf(first, 1)
    await first.tipping.shards.save(new Map([[0, session('early')]]))
    await world.pass(40_000, [second])
    await ownOf(second, 1)
    await second.tipping.shards.save(new Map([[0, session('newer')]]))

    await first.tipping.shards.save(new Map([[0, session('late')]]))
    await first.tipping.shards.leave(new Map([[0, session('late')]]))

    const { own } = await second.tipping.shards.take(1)
    expect([...own]).toEqual([[0, session('newer')]])
  })
})

describe('a bot that restarts after it was killed', () => {
  it('gets its own shards back immediately, with their sessions', async () => {
    const [first, second] = [bot(0), bot(1)]
    await ownOf(first)
    await first.tipping.shards.save(new Map([0, 1, 2, 3].map((shard) => [shard, session(`s${shard}`)])))
    await ownOf(second)
    const { surplus } = await first.tipping.shards.take(4)
    await first.tipping.shards.giveBack(new Map(surplus.map((shard) => [shard, session(`s${shard}`)])))
    expect(await ownOf(second)).toEqual([2, 3])

    await world.endOf(first)
    const again = await world.join(first)

    const { own } = await again.tipping.shards.take(4)
    expect([...own]).toEqual([0, 1].map((shard) => [shard, session(`s${shard}`)]))
    expect(await ownOf(second)).toEqual([2, 3])
  })
})

describe('the shards at Discord', () => {
  let emulator: Emulator
  let fronts: Front[]
  beforeEach(async () => {
    const shared = { clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 }
    emulator = await createEmulator({ ...shared, shards: 4 })
    fronts = []
  })
  afterEach(async () => {
    await Promise.all(fronts.map((front) => front.close()))
    await emulator.close()
  })

  async function connect({ tipping, clock }: Bot): Promise<Front> {
    const { token, restUrl: rest } = emulator
    const front = createBot({ token, api: { rest }, tipping, clock, logger: silentLogger, callsPerSecond: 100_000 })
    fronts.push(front)
    await front.ready
    return front
  }
  const connected = () => emulator.gatewaySessions.filter((known) => known.connected)
  const resumes = () => emulator.gatewaySessions.map((known) => known.resumes)

  it('are shared equally with a second process, which resumes their sessions', async () => {
    await connect(bot(0))
    expect(connected()).toHaveLength(4)
    const second = await connect(bot(1))
    expect(second.isConnected()).toBe(true)

    await expect
      .poll(async () => {
        await world.pass(5_000)
        return resumes().toSorted()
      })
      .toEqual([0, 0, 1, 1])
    await expect.poll(() => connected().length).toBe(4)
  })

  it('go to the other process immediately if their process closes', async () => {
    const first = await connect(bot(0))
    await connect(bot(1))
    await first.close()

    await world.pass(5_000, [bot(1)])

    await expect.poll(() => connected().length).toBe(4)
    expect(emulator.gatewaySessions).toHaveLength(4)
  })
})
