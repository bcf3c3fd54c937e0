import { rm } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../../src/lib/clock.ts'
import { copyDatabases } from '../../src/lib/database/sqlite/copy-databases.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createPaymentsClient, type PaymentsClient } from '../../src/payments-api/payments-api.ts'
import { createTipping } from '../../src/tipping/create-tipping.ts'
import { middle } from './middle.ts'
import { GUILD, memberOf, walletOf } from './seed-bot.ts'

/** The cost of one operation in a book: times in milliseconds, of which `ms` is the median, and memory in MiB. */
export interface Cost {
  readonly what: string
  readonly ms: number
  /** The longest time during the operation in which the process answered nobody. */
  readonly standstillMs: number
  /** The most processor time in one turn of the event loop: the standstill on an otherwise idle machine. */
  readonly turnMs: number
  /** Processor time of all threads, for each run. */
  readonly cpuMs: number
  /** The peak of resident memory during the operation. */
  readonly residentMiB: number
}

/** The resolution of standstills: the timer itself may be this late. */
const RESOLUTION_MS = 10
const LOOK_AT_MEMORY_EVERY_MS = 20
const TIMES = 20
const TIPS = 200
const MIB = 1_048_576

/** Measures the turns of this thread's event loop. */
class Turns {
  #longest = 0
  #before = this.#used()
  readonly #timer = setInterval(() => this.#turn(), 1).unref()

  /** Returns the longest turn since the last call, in milliseconds of processor time. */
  take(): number {
    this.#turn()
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #turn(): void {
    const used = this.#used()
    this.#longest = Math.max(this.#longest, used - this.#before)
    this.#before = used
  }

  #used(): number {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
}

/** Reports to its parent what each operation costs in the bot's book `file` with this many members, then ends. */
async function main(file: string, members: number): Promise<void> {
  const costs: Cost[] = []
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const turns = new Turns()
  async function measure(what: string, times: number, work: (nth: number) => Promise<unknown>): Promise<void> {
    const took: number[] = []
    await new Promise((resolve) => setImmediate(resolve))
    delays.reset()
    turns.take()
    let resident = 0
    const look = () => {
      resident = Math.max(resident, process.memoryUsage.rss())
    }
    const looking = setInterval(look, LOOK_AT_MEMORY_EVERY_MS)
    const before = process.cpuUsage()
    for (let nth = 0; nth < times; nth += 1) {
      const begun = performance.now()
      await work(nth)
      took.push(performance.now() - begun)
    }
    const { user, system } = process.cpuUsage(before)
    clearInterval(looking)
    look()
    // The timer is read once more after the last work.
    await new Promise((resolve) => setTimeout(resolve, 2 * RESOLUTION_MS))
    const standstillMs = Math.max(0, delays.max / 1_000_000 - RESOLUTION_MS)
    costs.push({
      what,
      ms: middle(took),
      standstillMs,
      turnMs: turns.take(),
      cpuMs: (user + system) / 1_000 / times,
      residentMiB: resident / MIB,
    })
  }
  const opened: { tipping?: Awaited<ReturnType<typeof open>> } = {}
  await measure('start', 1, async () => {
    opened.tipping = await open(file, members)
  })
  const { tipping } = opened
  if (tipping === undefined) throw new Error('the book was not opened')
  // The first audit of a start is over.
  await tipping.audit()
  const whose = (nth: number) => memberOf(Math.floor((nth * members) / TIMES))
  await measure('balance', TIMES, (nth) => tipping.balances.view(whose(nth)))
  await measure('history, first page', TIMES, (nth) => tipping.history.page(whose(nth), 0))
  await measure('history, next page', TIMES, (nth) => tipping.history.page(whose(nth), 1))
  await measure('leaderboard, a year', 1, () => tipping.insights.leaderboard(GUILD, 'year'))
  await measure('leaderboard, a week', 1, () => tipping.insights.leaderboard(GUILD, 'week'))
  await measure('a member’s export', 3, (nth) => tipping.privacy.export(whose(nth)))
  await measure('audit, whole', 1, async () => {
    const { holds, faults } = await tipping.administration.audit()
    if (!holds) throw new Error(`the audit does not hold: ${faults.join('; ')}`)
  })
  await measure('audit of what is new', 3, () => tipping.audit())
  await measure('a member’s proof', TIMES, (nth) => tipping.administration.balanceProof(whose(nth)))
  await measure('payment (a tip)', TIPS, (nth) => {
    const [from, to] = [memberOf((2 * nth) % members), memberOf((2 * nth + 1) % members)]
    const origin = { interaction: systemEntropy.uuid(), guild: GUILD, channel: 'channel', reply: 'reply', locale: 'en' }
    return tipping.tips.send({ from, to: [{ id: to, bot: false }], amount: '1', origin })
  })
  await measure('backup', 1, async () => {
    await copyDatabases([{ from: file, to: `${file}.copy` }])
    await rm(`${file}.copy`)
  })
  turns.stop()
  await tipping.close()
  process.send?.(costs)
}

async function open(file: string, members: number) {
  const client = createPaymentsClient({
    ...{ baseUrl: 'http://127.0.0.1:9', apiKey: 'none', clock: systemClock, replaysKeys: () => false },
  })
  // A wallet that holds exactly what the book says; nothing is sent.
  const getWallet = async () => ({ data: { balance: walletOf(members) } })
  const payments = { ...client, getWallet } as unknown as PaymentsClient
  return await createTipping({
    ...{ database: `file:${file}`, alone: true, ownThread: true, payments },
    ...{ replaysKeys: () => false, stillReplays: async () => false },
    ...{ clock: systemClock, entropy: systemEntropy, logger: silentLogger },
  })
}

await main(process.argv[2] ?? '', Number(process.argv[3]))
process.disconnect?.()
