import { setTimeout as pause } from 'node:timers/promises'
import { Progress } from '../../simulation/progress.ts'
import type { Chance } from '../../world/chance.ts'
import { GAMERTAGS } from '../../world/processes/stage.ts'
import { type Pair, startPair } from '../postgres/pair.ts'
import { type Blow, type Blows, planOf } from '../postgres/plan.ts'
import { openOperations, proofAfterStorm } from '../proof.ts'
import { forgotten, KINDS } from '../reported.ts'
import { Traffic } from '../traffic.ts'
import { createFrontsStage, type FrontsStage } from './fronts-stage.ts'
import { Keeper } from './keeper.ts'

/** The range of the number of answers to people between two blows, which are at most `MAX_LIFETIME_MS` apart. */
const LIVES_ANSWERS = [0, 20] as const
const MAX_LIFETIME_MS = 10_000
const SOMETHING_EVERY_MS = 100
const TIMEOUT_MS = 15_000
/**
 * The longest calm at the end; after ten minutes of it, it is certain whether a node has received a payment whose
 * sender died.
 */
const CALM_LIMIT_MS = 20 * 60_000

/**
 * Lets two fronts and two services work behind balancers, on one PostgreSQL server with a synchronous standby, while
 * people use the fronts. SIGKILL ends one process after another; the server crashes, and is later lost, so that the
 * standby takes its place. Finally, proves both books, each operation's end on both sides, and the answers that people
 * received. Resolves to the exit code.
 */
export async function killFronts(blows: Blows, chance: Chance): Promise<number> {
  const pair = await startPair((line) => console.error(line))
  try {
    for (const book of ['tipping', 'payments']) await pair.primary.admin(`CREATE DATABASE ${book} TEMPLATE template0`)
    const stage = await createFrontsStage({ tipping: pair.url('tipping'), payments: pair.url('payments') })
    try {
      await stage.start()
      return await live({ stage, pair, chance }, blows)
    } finally {
      await stage.close()
    }
  } finally {
    await pair.stop()
  }
}

interface Around {
  readonly stage: FrontsStage
  readonly pair: Pair
  readonly chance: Chance
}

async function live(around: Around, blows: Blows): Promise<number> {
  const { stage, chance } = around
  const options = { openDeposits: stage.openDeposits, everyMs: SOMETHING_EVERY_MS, timeoutMs: TIMEOUT_MS }
  const traffic = new Traffic(stage, chance.child('storm'), options)
  const keeper = new Keeper([...stage.fronts.all, ...stage.services.all])
  await begin(stage, traffic)
  traffic.begin()
  await strike(around, { traffic, keeper, plan: planOf(blows, chance) })
  await traffic.end(() => keeper.raiseAll())
  console.error('calm, until everything has ended')
  for (const began = performance.now(); performance.now() - began < CALM_LIMIT_MS; await pause(500)) {
    await keeper.raiseAll()
    if ((await stage.open()).length === 0) break
  }
  const evidence = await stage.judgeable()
  try {
    const open = openOperations(evidence).map((each) => `${each} has not ended`)
    const books = open.length === 0 ? proofAfterStorm(evidence) : open
    const wrong = [...traffic.calms(), ...books, ...forgotten(evidence, traffic.told)]
    report(stage, traffic, { blows, endedThemselves: keeper.endedThemselves })
    console.log(`${evidence.botBook.moves} moves in the bot's book, ${evidence.serviceBook.moves} in the service's`)
    for (const fault of wrong) console.error(`✗ ${fault}`)
    if (wrong.length === 0) console.log('Not a msat was lost, doubled or invented.')
    return wrong.length === 0 ? 0 : 1
  } finally {
    evidence.close()
  }
}

/** Lets everybody link a wallet, and gives everybody sats. */
async function begin(stage: FrontsStage, traffic: Traffic): Promise<void> {
  for (const [who, gamertag] of Object.entries(GAMERTAGS)) await traffic.command(who, 'link', { wallet: gamertag })
  for (const who of ['alice', 'bob', 'carol']) await traffic.command(who, 'deposit', { amount: '20000' })
  for (const request of await stage.openDeposits()) await stage.phone.pay(request)
}

interface Struck {
  readonly traffic: Traffic
  readonly keeper: Keeper
  readonly plan: readonly Blow[]
}

/**
 * Strikes one blow after another, each once people have received some answers since the last blow, or after a time
 * limit.
 */
async function strike({ stage, pair, chance }: Around, { traffic, keeper, plan }: Struck): Promise<void> {
  const victims = [...stage.fronts.all, ...stage.services.all]
  const progress = new Progress(plan.length, 'blows')
  for (const [index, blow] of plan.entries()) {
    const enough = traffic.answers + chance.between(...LIVES_ANSWERS)
    for (const began = performance.now(); performance.now() - began < MAX_LIFETIME_MS; await pause(10)) {
      await keeper.raiseAll()
      if (traffic.answers >= enough) break
    }
    if (blow === 'kill') await keeper.kill(chance.one(victims))
    else {
      keeper.databaseWasLost = true
      await (blow === 'crash' ? pair.crash() : pair.failOver().then((lost) => lost.stop()))
    }
    progress.add(1)
    if (index >= plan.length / 2) traffic.noMoreDrops()
  }
  progress.end()
}

interface Outcome {
  readonly blows: Blows
  readonly endedThemselves: number
}

function report({ fronts, services }: FrontsStage, traffic: Traffic, { blows, endedThemselves }: Outcome): void {
  const killed = ({ all }: FrontsStage['fronts']) =>
    all.map(({ name, process }) => `${name} ${process.kills}`).join(', ')
  console.log(
    `Crashes of the primary: ${blows.crashes}, failovers: ${blows.failovers}; processes that ended themselves over it: ${endedThemselves}`,
  )
  const counts = KINDS.map((kind) => `${kind} ${traffic.counts[kind].acknowledged} of ${traffic.counts[kind].begun}`)
  console.log(`${Math.round(performance.now() / 1_000)} s; kills: ${killed(fronts)}, ${killed(services)}`)
  console.log(`Acknowledged to people: ${counts.join(', ')}`)
}
