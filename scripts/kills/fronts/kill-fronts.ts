import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../postgres/server.ts'
import { folderForTemporaryFiles } from '../../postgres/temporary-files.ts'
import type { Chance } from '../../simulation/chance.ts'
import { Progress } from '../../simulation/progress.ts'
import { openOperations, proofAfterStorm } from '../proof.ts'
import { GAMERTAGS } from '../stage.ts'
import { Storm } from '../storm.ts'
import { forgotten, KINDS } from '../told.ts'
import { createFrontsStage, type FrontsStage } from './fronts-stage.ts'

/** A process lives until people got so many answers more, or nobody got one for a while. */
const LIVES_ANSWERS = [0, 20] as const
const MAX_LIFETIME_MS = 10_000
const SOMETHING_EVERY_MS = 100
const TIMEOUT_MS = 15_000
/** That a node never heard of a payment whose sender died is known after ten minutes. */
const CALM_LIMIT_MS = 20 * 60_000

/**
 * Two fronts and two services work on one PostgreSQL, behind balancers. People storm the fronts, and SIGKILL ends one process
 * after the other. Then both books, each operation's end on both sides, and what people were told are proven. Resolves to the
 * exit code.
 */
export async function killFronts(kills: number, chance: Chance): Promise<number> {
  const below = folderForTemporaryFiles()
  const server = await startPostgres({ below, say: (line) => console.error(line) })
  try {
    for (const book of ['tipping', 'payments']) await server.admin(`CREATE DATABASE ${book} TEMPLATE template0`)
    const stage = await createFrontsStage({ tipping: server.url('tipping'), payments: server.url('payments') })
    try {
      await stage.start()
      return await live(stage, kills, chance)
    } finally {
      await stage.close()
    }
  } finally {
    await server.stop()
  }
}

async function live(stage: FrontsStage, kills: number, chance: Chance): Promise<number> {
  const options = { openDeposits: stage.openDeposits, everyMs: SOMETHING_EVERY_MS, timeoutMs: TIMEOUT_MS }
  const storm = new Storm(stage, chance.child('storm'), options)
  await begin(stage, storm)
  storm.begin()
  await strike(stage, storm, { kills, chance })
  await storm.end()
  console.error('calm, until everything has ended')
  for (const began = performance.now(); performance.now() - began < CALM_LIMIT_MS; await pause(500)) {
    if ((await stage.open()).length === 0) break
  }
  const evidence = await stage.judgeable()
  try {
    const open = openOperations(evidence).map((each) => `${each} has not ended`)
    const books = open.length === 0 ? proofAfterStorm(evidence) : open
    const wrong = [...storm.calms(), ...books, ...forgotten(evidence, storm.told)]
    report(stage, storm)
    console.log(`${evidence.botBook.moves} moves in the bot's book, ${evidence.serviceBook.moves} in the service's`)
    for (const fault of wrong) console.error(`✗ ${fault}`)
    if (wrong.length === 0) console.log('Not a msat was lost, doubled or invented.')
    return wrong.length === 0 ? 0 : 1
  } finally {
    evidence.close()
  }
}

/** Everybody links, and has something to give. */
async function begin(stage: FrontsStage, storm: Storm): Promise<void> {
  for (const [who, gamertag] of Object.entries(GAMERTAGS)) await storm.command(who, 'link', { gamertag })
  for (const who of ['alice', 'bob', 'carol']) await storm.command(who, 'deposit', { amount: '20000' })
  for (const request of await stage.openDeposits()) await stage.phone.pay(request)
}

interface Blows {
  readonly kills: number
  readonly chance: Chance
}

/** Kills one process after the other. The next is killed when this one has been started again, ready or not. */
async function strike(stage: FrontsStage, storm: Storm, { kills, chance }: Blows): Promise<void> {
  const victims = [...stage.fronts.all, ...stage.services.all].map(({ process }) => process)
  const progress = new Progress(kills, 'kills')
  for (let killed = 0; killed < kills; killed += 1) {
    const enough = storm.answers + chance.between(...LIVES_ANSWERS)
    for (const began = performance.now(); performance.now() - began < MAX_LIFETIME_MS; await pause(10)) {
      if (storm.answers >= enough) break
    }
    const victim = chance.one(victims)
    await victim.kill()
    progress.add(1)
    if (killed >= kills / 2) storm.opensDrops = false
    await victim.start()
  }
  progress.end()
}

function report({ fronts, services }: FrontsStage, storm: Storm): void {
  const killed = ({ all }: FrontsStage['fronts']) =>
    all.map(({ name, process }) => `${name} ${process.kills}`).join(', ')
  const counts = KINDS.map((kind) => `${kind} ${storm.counts[kind].acknowledged} of ${storm.counts[kind].begun}`)
  console.log(`${Math.round(performance.now() / 1_000)} s; kills: ${killed(fronts)}, ${killed(services)}`)
  console.log(`Acknowledged to people: ${counts.join(', ')}`)
}
