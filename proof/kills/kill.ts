import { parseArgs } from 'node:util'
import { fail } from '../../src/cli/run.ts'
import { Problem } from '../../src/lib/problem.ts'
import type { Evidence } from '../judge/evidence.ts'
import { Progress } from '../simulation/progress.ts'
import { Chance } from '../world/chance.ts'
import { disksCanFail, type FailingDisk } from '../world/processes/failing-disk.ts'
import { createStage, GAMERTAGS, type Stage } from '../world/processes/stage.ts'
import { killFronts } from './fronts/kill-fronts.ts'
import { killOnLnd } from './lnd/kill-on-lnd.ts'
import { killOnPostgres } from './postgres/kill-on-postgres.ts'
import { Programs } from './programs/programs.ts'
import { openOperations, proofAfterStorm } from './proof.ts'
import { forgotten, KINDS } from './reported.ts'
import { openDepositsIn, Traffic } from './traffic.ts'

/**
 * `npm run prove -- kill [--kills N] [--seed S] [--sick-disk] [--backend lnd]`: bot and service run as processes,
 * people tip, deposit, withdraw, open drops and make vouchers, programs give rewards and receive events, and SIGKILL
 * ends one or the other at random moments, N times in all. Afterwards, it proves both books, each operation's end on
 * both sides, everything that people and programs were told is done, and each event that somebody received. Exits with
 * 1 if anything is wrong, if a process ended on its own, or if some kind of action never succeeded, even in five
 * minutes of peace after the last kill. With `--sick-disk`, every second life ends because its disk fails at the sync
 * of a COMMIT; then the process must end on its own and report the reason. With `--backend lnd` the sats are on real
 * lnd nodes, which are killed, too: `kills/lnd/kill-on-lnd.ts`.
 *
 * `npm run prove -- kill --database postgres [--kills N] [--crashes N] [--failovers N] [--seed S]`: four processes
 * write in one book on a PostgreSQL server, which also crashes and is replaced by its standby:
 * `kills/postgres/kill-on-postgres.ts`. With `--fronts`, two fronts and two services work there instead, in the middle
 * of people's traffic: `kills/fronts/kill-fronts.ts`.
 */
const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now()) },
    'sick-disk': { type: 'boolean', default: false },
    backend: { type: 'string', default: 'sandbox' },
    database: { type: 'string', default: 'sqlite' },
    fronts: { type: 'boolean', default: false },
    crashes: { type: 'string', default: '2' },
    failovers: { type: 'string', default: '1' },
  },
})
const kills = countOf('kills', 1)

if (options.database !== 'sqlite' || options.fronts) process.exit(await onServers(options.database).catch(fail))

if (options['sick-disk'] && !disksCanFail()) {
  console.error('--sick-disk takes Linux and a C compiler (cc). Install one, or leave it out.')
  process.exit(1)
}

if (options.backend !== 'sandbox') process.exit(await onRealNodes(options.backend).catch(fail))

/** The range of the number of answers to people after which a life ends, at the latest after `MAX_LIFETIME_MS`. */
const LIVES_ANSWERS = [0, 40] as const
/** Matches the messages of a process that ended because of its disk, at a COMMIT or while starting. */
const DISK_TO_BLAME = /The disk failed|the disk is full or failing/
const MAX_LIFETIME_MS = 5_000
/** The range of the time in ms from an answer to the kill that follows it. */
const AFTERWARDS_MS = [0, 120] as const
const CALM_LIMIT_MS = 240_000
/**
 * The time in ms between two checks of the events that everybody has received, each of which reads all of the books.
 */
const LISTENS_EVERY_MS = 1_000

type Side = 'bot' | 'service'
/** The number of processes of each side that a failed COMMIT ended. */
const sickEnds = { bot: 0, service: 0 }

const chance = new Chance(`kills ${options.seed}`)
const stage = await createStage({ sickDisks: options['sick-disk'] })
try {
  process.exitCode = await live(stage)
} finally {
  await stage.close()
}

async function live(stage: Stage): Promise<number> {
  await startBoth()
  // A killed process leaves no compiled code behind.
  await stopBoth()
  await startBoth()
  const evidence = stage.look()
  const traffic = new Traffic(stage, chance.child('storm'), { openDeposits: openDepositsIn(evidence) })
  await begin(traffic, evidence)
  const programs = await Programs.begin(stage, { traffic, evidence, chance: chance.child('programs') })
  traffic.begin()
  const progress = new Progress(kills, 'kills')
  await Promise.all([
    haunt('service', Math.floor(kills / 2), { traffic, evidence, progress }),
    haunt('bot', Math.ceil(kills / 2), { traffic, evidence, progress }),
  ])
  progress.end()
  await Promise.all([traffic.end(), programs.end()])
  console.error('calm, until everything has ended')
  const ended = await until(() => openOperations(evidence).length === 0)
  let unheard: readonly string[] = []
  await until(() => {
    unheard = programs.unheard(evidence)
    return unheard.length === 0
  }, LISTENS_EVERY_MS)
  await programs.close()
  await stopBoth()
  const open = openOperations(evidence).map((each) => `${each} has not ended`)
  const wrong = [
    ...traffic.calms(),
    ...unheard,
    ...programs.faults(evidence),
    ...(ended ? proofAfterStorm(evidence) : open),
    ...forgotten(evidence, traffic.told),
  ]
  report({ traffic, programs }, evidence, wrong)
  evidence.close()
  return wrong.length === 0 ? 0 : 1
}

async function onRealNodes(backend: string): Promise<number> {
  if (backend !== 'lnd' || options['sick-disk']) {
    throw new Problem('--backend must be sandbox or lnd; --sick-disk works with the sandbox alone.')
  }
  const code = await killOnLnd(kills, new Chance(`kills ${options.seed}`))
  if (code !== 0) console.log(`Again: --backend lnd --seed ${options.seed}`)
  return code
}

async function onServers(database: string): Promise<number> {
  if (database !== 'postgres' || options['sick-disk'] || options.backend !== 'sandbox') {
    throw new Problem('--database must be sqlite or postgres; --backend and --sick-disk work with sqlite alone.')
  }
  const blows = { kills, crashes: countOf('crashes', 0), failovers: countOf('failovers', 0) }
  const strike = options.fronts ? killFronts : killOnPostgres
  const code = await strike(blows, new Chance(`kills ${options.seed}`))
  if (code !== 0) console.log(`Again: --database postgres${options.fronts ? ' --fronts' : ''} --seed ${options.seed}`)
  return code
}

function countOf(option: 'kills' | 'crashes' | 'failovers', least: number): number {
  const count = Number(options[option])
  if (Number.isSafeInteger(count) && count >= least) return count
  console.error(`--${option} must be a whole number, ${least} or more, not "${options[option]}"`)
  process.exit(1)
}

async function startBoth(): Promise<void> {
  await stage.service.start()
  await stage.bot.start()
}

async function stopBoth(): Promise<void> {
  await Promise.all([stage.bot.stop(), stage.service.stop()])
}

/** Lets everybody link a wallet, and gives everybody sats. */
async function begin(traffic: Traffic, evidence: Evidence): Promise<void> {
  for (const [who, gamertag] of Object.entries(GAMERTAGS)) await traffic.command(who, 'link', { wallet: gamertag })
  for (const who of ['alice', 'bob', 'carol']) await traffic.command(who, 'deposit', { amount: '20000' })
  const charges = evidence.botBook.rows<{ request: string }>('SELECT "request" FROM "Deposit"')
  for (const { request } of charges) await stage.phone.pay(request)
  await until(() => openOperations(evidence).length === 0)
}

interface Haunted {
  readonly traffic: Traffic
  readonly evidence: Evidence
  readonly progress: Progress
}

/**
 * Repeatedly lets a process live for a while, kills it, and restarts it. Some lives end while the process is still
 * starting.
 */
async function haunt(side: Side, times: number, { traffic, evidence, progress }: Haunted): Promise<void> {
  const victim = stage[side]
  for (let killed = 0; killed < times; killed += 1) {
    const enough = traffic.answers + chance.between(...LIVES_ANSWERS)
    for (const began = performance.now(); performance.now() - began < MAX_LIFETIME_MS; await pause(10)) {
      if (traffic.answers >= enough) break
    }
    await pause(chance.between(...AFTERWARDS_MS))
    if (stage.disks === undefined || killed % 2 === 1) await victim.kill()
    else await failDisk(side, stage.disks[side], evidence)
    progress.add(1)
    if (killed >= times / 2) traffic.noMoreDrops()
    const starting = victim.start()
    if (chance.happens(0.2) && killed + 1 < times) {
      starting.catch(() => undefined)
      continue
    }
    await starting
  }
}

/** Makes the disk fail, so that the process ends on its own at its next COMMIT, with exit code 1 and a reason. */
async function failDisk(side: Side, disk: FailingDisk, { botBook, serviceBook }: Evidence): Promise<void> {
  disk.fail(side === 'bot' ? '/tipping.sqlite-wal' : '/payments.sqlite-wal')
  const ended = await stage[side].endsByItself(MAX_LIFETIME_MS)
  disk.heal()
  if (ended === undefined) return await stage[side].kill()
  if (ended.code !== 1 || !DISK_TO_BLAME.test(ended.lastWords)) {
    throw new Error(`the ${side} ended with ${ended.code} when its disk failed: ${ended.lastWords}`)
  }
  sickEnds[side] += 1
  for (const book of [botBook, serviceBook]) book.close()
}

async function until(holds: () => boolean, everyMs = 100): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < CALM_LIMIT_MS; await pause(everyMs)) {
    if (holds()) return true
  }
  return false
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Actors {
  readonly traffic: Traffic
  readonly programs: Programs
}

function report({ traffic, programs }: Actors, { botBook, serviceBook }: Evidence, wrong: readonly string[]): void {
  const count = (table: string) => botBook.rows(`SELECT 1 FROM "${table}"`).length
  const records = ['Tip', 'Payout', 'Deposit', 'Withdrawal', 'Drop', 'DropClaim', 'Voucher']
  const actions = KINDS.reduce((sum, kind) => sum + traffic.counts[kind].begun, 0)
  const counts = KINDS.map((kind) => `${kind} ${traffic.counts[kind].acknowledged} of ${traffic.counts[kind].begun}`)
  console.log(
    `${Math.round(performance.now() / 1_000)} s, ${stage.bot.kills} kills of the bot, ${stage.service.kills} of the service, ${actions} actions`,
  )
  if (stage.disks !== undefined) {
    console.log(`${sickEnds.bot} lives of the bot and ${sickEnds.service} of the service ended when a COMMIT failed`)
  }
  console.log(`Acknowledged to people: ${counts.join(', ')}`)
  for (const line of programs.report()) console.log(line)
  console.log(`In the books: ${records.map((table) => `${table} ${count(table)}`).join(', ')}`)
  console.log(`${botBook.moves} moves in the bot's book, ${serviceBook.moves} in the service's`)
  for (const fault of wrong) console.error(`✗ ${fault}`)
  console.log(wrong.length === 0 ? 'Not a msat was lost, doubled or invented.' : `Again: --seed ${options.seed}`)
}
