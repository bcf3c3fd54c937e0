import { setTimeout as pause } from 'node:timers/promises'
import { readBook } from '../../judge/histories/book.ts'
import { judgeHistory } from '../../judge/histories/oracle.ts'
import { Progress } from '../../simulation/progress.ts'
import type { Chance } from '../../world/chance.ts'
import { beginBook, ownFaults } from './begin-book.ts'
import { Clients } from './clients.ts'
import { type Pair, startPair } from './pair.ts'
import { type Blow, type Blows, planOf } from './plan.ts'
import { WriterProcess } from './writer-process.ts'

const WRITERS = 4
const CLIENTS = 256
/** The number of acknowledged changes per kill. */
const CHANGES = 1_000
/** The longest wait for the next acknowledgement, in ms; a failover takes seconds. */
const STUCK_MS = 120_000
const SHOWN_FAULTS = 20

/**
 * Lets four processes write in one book on a PostgreSQL server with a synchronous standby, for clients that never give
 * up. SIGKILL ends the writers; the server crashes, and is later lost, so that the standby takes its place. Then
 * `oracle/` compares the clients' answers with the book. Resolves to the exit code.
 */
export async function killOnPostgres(blows: Blows, chance: Chance): Promise<number> {
  const pair = await startPair((line) => console.error(line))
  const url = pair.url('postgres')
  const writers = Array.from({ length: WRITERS }, () => new WriterProcess(() => url))
  try {
    await beginBook(url)
    for (const writer of writers) writer.begin()
    const clients = new Clients(chance.child('clients'), writers)
    clients.begin(CLIENTS)
    const slowest = await strike(planOf(blows, chance), { pair, writers, clients, chance })
    await clients.end()
    await Promise.all(writers.map((writer) => writer.close()))
    const book = await readBook(url)
    const verdict = judgeHistory(clients.history, book)
    const faults = [...clients.faults, ...verdict.faults, ...(await ownFaults(url))]
    report(blows, { clients, writers, moves: book.moves.length, takenBack: verdict.takenBack, slowest })
    for (const fault of faults.slice(0, SHOWN_FAULTS)) console.error(`✗ ${fault}`)
    if (faults.length > SHOWN_FAULTS) console.error(`✗ … and ${faults.length - SHOWN_FAULTS} more`)
    if (faults.length === 0) console.log('Nothing acknowledged was lost, nothing was doubled.')
    return faults.length === 0 ? 0 : 1
  } finally {
    await Promise.all(writers.map((writer) => writer.close()))
    await pair.stop()
  }
}

interface Stage {
  readonly pair: Pair
  readonly writers: readonly WriterProcess[]
  readonly clients: Clients
  readonly chance: Chance
}

/**
 * Strikes the next blow whenever enough changes have been acknowledged since the last. Resolves to the longest time
 * (ms) from a failover to the next answer.
 */
async function strike(plan: readonly Blow[], { pair, writers, clients, chance }: Stage): Promise<number> {
  const total = CHANGES * plan.filter((blow) => blow === 'kill').length
  const progress = new Progress(total, 'acknowledged changes')
  let slowest = 0
  for (const [index, blow] of plan.entries()) {
    const before = clients.acknowledged
    await until(() => clients.acknowledged >= (total * (index + 1)) / (plan.length + 1))
    progress.add(clients.acknowledged - before)
    await pause(chance.between(0, 20))
    if (blow === 'kill') chance.one(writers).kill()
    else {
      clients.history.crashes.push(performance.now())
      console.error(blow === 'crash' ? 'the primary crashes' : 'the primary is lost; its standby takes its place')
      const began = performance.now()
      if (blow === 'crash') await pair.crash()
      else await (await pair.failOver()).stop()
      const answered = clients.acknowledged
      await until(() => clients.acknowledged > answered)
      if (blow === 'failover') slowest = Math.max(slowest, performance.now() - began)
    }
  }
  const before = clients.acknowledged
  await until(() => clients.acknowledged >= total)
  progress.add(clients.acknowledged - before)
  progress.end()
  return slowest
}

async function until(holds: () => boolean): Promise<void> {
  for (const began = performance.now(); !holds(); await pause(5)) {
    if (performance.now() - began > STUCK_MS) throw new Error(`nobody was answered for ${STUCK_MS / 1_000} s`)
  }
}

interface Outcome {
  readonly clients: Clients
  readonly writers: readonly WriterProcess[]
  readonly moves: number
  readonly takenBack: number
  readonly slowest: number
}

function report({ crashes, failovers }: Blows, { clients, writers, moves, takenBack, slowest }: Outcome): void {
  const count = (of: (writer: WriterProcess) => number) => writers.reduce((sum, writer) => sum + of(writer), 0)
  const { readings, snapshots } = clients.history
  console.log(
    `${Math.round(performance.now() / 1_000)} s, ${count(({ kills }) => kills)} kills of ${WRITERS} writers, crashes of the primary: ${crashes}, ` +
      `failovers: ${failovers} (the slowest: ${(slowest / 1_000).toFixed(1)} s until the next answer)`,
  )
  console.log(
    `${clients.acknowledged} changes acknowledged, ${clients.refused} refused, ${clients.unanswered} without an answer at first and asked for again; ` +
      `${readings.length} readings and ${snapshots.length} snapshots; ${moves} moves in the book`,
  )
  console.log(
    `Writers that ended themselves, because a COMMIT had no answer: ${count(({ endedItself }) => endedItself)}; ` +
      `readings that showed what a crash took back before anybody was told of it: ${takenBack}`,
  )
  for (const { refusals } of writers)
    for (const [why, times] of refusals) console.error(`a start was refused (${times}): ${why}`)
}
