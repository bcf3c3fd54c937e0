import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createStage, type Stage } from '../world/processes/stage.ts'
import { describeGoals, type Goal } from './describe-goals.ts'
import { aliceDeposits, cpuMs, line, mustBeAnswered, peakMemory } from './timings.ts'

const VIEWERS = 1_000
const GIFTS = 200
/** The number of gifts a second, as on a busy stream. */
const PER_SECOND = 5

/** An overlay's viewer: the arrival of each event, in milliseconds after its commit, by event id. */
interface Viewer {
  readonly after: Map<string, number>
  /** The number of events that arrived twice. */
  twice: number
  readonly socket: Socket
}

/** Measures how soon a thousand viewers of one overlay see a tip. The bot has its own process. */
export async function benchOverlay(): Promise<void> {
  const stage = await createStage()
  const viewers: Viewer[] = []
  try {
    await stage.service.start()
    await stage.bot.start()
    await aliceDeposits(stage, GIFTS * 10)
    const key = await makeKey(stage)
    const began = performance.now()
    while (viewers.length < VIEWERS) viewers.push(await watch(stage.botUrl, key))
    console.log(
      `${'viewers who have joined'.padEnd(34)} ${VIEWERS} in ${((performance.now() - began) / 1_000).toFixed(1)} s`,
    )
    const before = cpuMs(stage.bot.pid)
    await give(stage)
    const told = await untilHeard(viewers)
    const times = viewers.flatMap(({ after }) => [...after.values()])
    line(`shown after the commit, ${told.size} tips`, times)
    console.log(
      `${'processor time of the bot'.padEnd(34)} ${((cpuMs(stage.bot.pid) - before) / told.size).toFixed(1)} ms a tip`,
    )
    console.log(`${'resident memory, at its highest'.padEnd(34)} ${peakMemory(stage.bot.pid)}`)
    const lost = viewers.reduce((sum, { after }) => sum + told.size - after.size, 0)
    const twice = viewers.reduce((sum, viewer) => sum + viewer.twice, 0)
    console.log(`${'events lost, events that came twice'.padEnd(34)} ${lost}, ${twice}`)
    const p99 = times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN
    const goal: Goal = { what: 'a tip shown to 1,000 viewers, p99 in ms', measured: p99, goal: { maximum: 1_000 } }
    for (const text of describeGoals([goal])) console.log(text)
    if (lost > 0 || twice > 0 || p99 > 1_000) process.exitCode = 1
  } finally {
    for (const { socket } of viewers) socket.destroy()
    await stage.close()
  }
}

/** Creates a key of the bot's API. `budget` is in sats, and is set if the key may give rewards. */
export async function makeKey(
  { emulator, seeded }: Stage,
  options: { readonly name: string; readonly use: string; readonly budget?: string } = {
    name: 'overlay',
    use: 'events',
  },
): Promise<string> {
  const made = emulator.as(seeded.people.mod).run(seeded.channels.general, 'api-key create', options)
  await mustBeAnswered(made)
  const key = /satchel_[\w-]{43}/.exec(JSON.stringify(made.messages()))?.[0]
  if (key === undefined) throw new Error('the bot gave no key')
  return key
}

/** Joins the stream, and tries again each second while the bot requires a pause. */
async function watch(url: string, key: string): Promise<Viewer> {
  for (;;) {
    const viewer = await join(url, key)
    if (viewer !== undefined) return viewer
    await pause(1_000)
  }
}

/**
 * Opens one connection to the stream. Resolves to undefined if the bot requires a pause. This is a lean client, because
 * it shares the processors with the bot.
 */
function join(url: string, key: string): Promise<Viewer | undefined> {
  const { hostname, port } = new URL(url)
  const viewer: Viewer = { after: new Map(), twice: 0, socket: connect(Number(port), hostname) }
  const { socket } = viewer
  let pending = ''
  return new Promise((resolve, reject) => {
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\n\r\n`)
    socket.on('data', (piece: string) => {
      pending += piece
      if (pending.startsWith('HTTP/1.1 429')) {
        socket.destroy()
        return resolve(undefined)
      }
      if (pending.includes(': hello')) resolve(viewer)
      else if (/^HTTP\/1\.1 (?!200)/.test(pending)) reject(new Error(pending))
      const end = pending.lastIndexOf('\n\n')
      if (end < 0) return
      for (const [, id = '', at = ''] of pending
        .slice(0, end + 2)
        .matchAll(/id: (\d+)\nevent: tip\ndata: .*?"at":"([^"]+)"/g)) {
        if (viewer.after.has(id)) viewer.twice += 1
        viewer.after.set(id, Date.now() - Date.parse(at))
      }
      pending = pending.slice(end + 2)
    })
  })
}

/**
 * Gives all tips, a few a second. On a busy machine, a tip for which the bot was too slow for Discord does not exist.
 */
async function give({ emulator, seeded }: Stage): Promise<void> {
  const alice = emulator.as(seeded.people.alice)
  const gifts: Promise<unknown>[] = []
  for (let gift = 0; gift < GIFTS; gift += 1) {
    gifts.push(alice.run(seeded.channels.general, 'tip', { to: seeded.people.bob, amount: '1' }).answered())
    await pause(1_000 / PER_SECOND)
  }
  await Promise.all(gifts)
}

/**
 * Waits until all viewers have all events, but at most ten seconds, after which missing events count as lost. Resolves
 * to the ids of the events that any viewer has.
 */
async function untilHeard(viewers: readonly Viewer[]): Promise<ReadonlySet<string>> {
  const deadline = performance.now() + 10_000
  for (;;) {
    const told = new Set(viewers.flatMap(({ after }) => [...after.keys()]))
    const isOver = told.size === GIFTS && viewers.every(({ after }) => after.size === told.size)
    if (isOver || performance.now() > deadline) return told
    await pause(200)
  }
}
