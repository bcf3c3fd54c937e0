import { faultsPossibleIn } from '../faults/all-faults.ts'
import { drawFaults, FaultPlan } from '../faults/fault-plan.ts'
import { checkCover } from '../judge/cover.ts'
import { pages } from '../judge/ends.ts'
import { lastJudgement } from '../judge/last-judgement.ts'
import { lastProof } from '../judge/last-proof.ts'
import { BOT_HOLDS, checkHolds, SERVICE_HOLDS, stillOpen, uncredited } from '../judge/open-operations.ts'
import { ACTORS } from '../people/actors.ts'
import { deposit } from '../people/deposits.ts'
import { decideUnknown } from '../people/operators.ts'
import { pay } from '../people/payers.ts'
import { type Actor, Stage } from '../people/people.ts'
import { judgeSchedules } from '../people/schedules.ts'
import { Chance } from '../world/chance.ts'
import { isOnServer } from '../world/places.ts'
import { quiet, turns } from '../world/wait-until-idle.ts'
import { Bug, createWorld, type SimWorld } from '../world/world.ts'
import { liveThroughSchedules, watchWhatIsDue } from './live-through-schedules.ts'
import { noteRuleRewards } from './note-rule-rewards.ts'
import { noteTipsByInvoice } from './note-tips-by-invoice.ts'
import { showAll } from './show-all.ts'
import { sleepFor } from './sleep-for.ts'

export interface SeedResult {
  readonly seed: string
  readonly steps: number
  readonly fingerprint: string
  readonly figures: Figures
  /** The failure, with the end of the trace before it; undefined if nothing failed. */
  readonly failure: (Finding & { readonly trace: readonly string[] }) | undefined
  /** The product's own first complaint, recorded if complaints alone do not fail a seed. */
  readonly complaint: Finding | undefined
}

export interface Finding {
  readonly step: number
  readonly what: readonly string[]
}

export interface Figures {
  readonly kills: number
  readonly moves: number
  readonly virtualMs: number
  /** The number of payments whose outcome the bot could not learn, so that two operators decided it. */
  readonly decided: number
  /** How often each kind of fault happened in this seed. */
  readonly faults: Readonly<Record<string, number>>
}

export interface SeedOptions {
  readonly seed: string
  readonly steps: number
  /** A folder with databases that `makeTemplate` made, or a database on a PostgreSQL server. */
  readonly template: string
  /** Whether the product's own complaints fail a seed (the default) or are only noted. */
  readonly complaintsFail?: boolean
  /** The names of the faults that strike; `all` for a few that the seed draws; none if left out. */
  readonly faults?: readonly string[] | undefined
  readonly onStep?: (step: number) => void
  /** Called at the end with the proven world, in which nothing is open any more. */
  readonly atEnd?: (world: SimWorld) => void | Promise<void>
  readonly trace?: (line: string) => void
}

const EVERYTHING_EVERY = 100

/**
 * Plays one seed: a number of steps of a rough life, then a calm one until everything has ended, then the final proof.
 */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const { seed, steps, template, complaintsFail = true } = options
  const possible = faultsPossibleIn(template)
  const drawn = options.faults?.includes('all')
    ? drawFaults(possible, new Chance(`${seed}/faults`))
    : possible.filter(({ name }) => options.faults?.includes(name))
  const world = await createWorld(seed, template, drawn, options.trace)
  const life = new RoughLife(world, steps, isOnServer(template))
  let [step, what]: [number, readonly string[]] = [0, []]
  let complaint: Finding | undefined
  const heard = () => {
    const [first] = world.complaints
    if (first !== undefined) complaint ??= { step: Math.min(step, steps), what: [first] }
    return complaintsFail ? world.complaints : []
  }
  try {
    await life.begin()
    for (step = 1; step <= steps && what.length === 0; step += 1) {
      await life.step(step)
      const everything = step % EVERYTHING_EVERY === 0 ? checkEverything(world) : []
      const judged = world.judge.afterStep(world.botBook, world.serviceBook)
      what = [...world.bugs, ...heard(), ...judged, ...checkTouched(world), ...everything]
      options.onStep?.(step)
    }
    if (what.length === 0) what = [...(await life.settle()), ...heard()]
    if (what.length === 0) what = [...(await life.liveOn()), ...heard()]
    if (what.length === 0)
      what = [...world.bugs, ...checkEverything(world), ...(await life.judge()), ...lastProof(world)]
  } catch (error) {
    what = [...world.bugs, ...heard(), describe(error)]
  }
  const figures = {
    kills: [...world.bot.all, ...world.services].reduce((sum, { kills }) => sum + kills, 0),
    moves: world.botBook.moves + world.serviceBook.moves,
    virtualMs: world.timeline.monotonic(),
    decided: life.decided,
    faults: life.plan.happened,
  }
  const fingerprint = world.trace.fingerprint()
  const failure = what.length === 0 ? undefined : { step: Math.min(step, steps), what, trace: [...world.trace.latest] }
  if (failure === undefined) await options.atEnd?.(world)
  await world.close()
  return { seed, steps, fingerprint, figures, failure, complaint }
}

function checkTouched({ botBook, serviceBook }: SimWorld): string[] {
  return [...botBook.checkTouched(), ...serviceBook.checkTouched()]
}

function checkEverything({ botBook, serviceBook, projects, judge }: SimWorld): string[] {
  return [
    ...botBook.checkAll(),
    ...serviceBook.checkAll(),
    ...checkHolds(botBook, ['held', 'pot'], BOT_HOLDS, 'bot'),
    ...checkHolds(serviceBook, ['in_flight', 'voucher_escrow'], SERVICE_HOLDS, 'service'),
    ...checkCover(botBook, serviceBook, projects.bot.id, judge.unexplained),
  ]
}

const MINUTE_MS = 60_000
/** The time within which everything should have ended; what is still open after this time will never end. */
const SETTLE_TIMEOUT_MS = 30 * 60 * MINUTE_MS
/** The time limit if only a pause is left, because wallet and books differ: waiting does not end such a pause. */
const PAUSE_TIMEOUT_MS = 3 * 60 * MINUTE_MS
/** The time between operators' decisions: they are alerted after an hour. */
const OPERATORS_EVERY_MS = 65 * MINUTE_MS
const RESTART_AFTER_MS = 8 * MINUTE_MS
/**
 * How long everything works, with audits, polls and takeovers, before it is stopped, for longer each time. On a server
 * every lease is renewed all the time, which is slow when a day must pass.
 */
const AWAKE_MS = 12 * MINUTE_MS
const FIRST_SLEEP_MS = 60 * MINUTE_MS
const MAX_SLEEP_MS = 8 * 60 * MINUTE_MS
const MAX_CONCURRENT = 40
const FUNDED_MEMBERS = 8

class RoughLife {
  readonly #world: SimWorld
  readonly #onServer: boolean
  readonly #stage: Stage
  readonly #chance: Chance
  readonly #weights: Readonly<Record<string, number>>
  readonly #actors: ReadonlyMap<string, Actor>
  readonly plan: FaultPlan
  decided = 0
  #begun = false
  /** The actions under way, each with the name of its actor. */
  readonly #acting = new Map<object, string>()

  constructor(world: SimWorld, steps: number, onServer: boolean) {
    this.#world = world
    this.#onServer = onServer
    this.#stage = new Stage(world)
    this.plan = new FaultPlan(world, this.#stage, steps)
    this.#chance = world.chance.child('life')
    this.#weights = Object.fromEntries(ACTORS.map(({ name, weight }) => [name, weight]))
    this.#actors = new Map(ACTORS.map((actor) => [actor.name, actor]))
  }

  get #processes() {
    return [...this.#world.bot.all, ...this.#world.services]
  }

  async begin(): Promise<void> {
    const { services, bot } = this.#world
    for (const each of services) await this.#until(each.start())
    await this.#until(bot.start())
    const members = Array.from({ length: FUNDED_MEMBERS }, (_, n) => `member-${n}`)
    await this.#until(Promise.all(members.map((member) => this.#fund(member))))
    this.#setRoughness(1)
    this.#begun = true
  }

  async step(step: number): Promise<void> {
    await this.#until(this.plan.strike(step))
    const chance = this.#chance
    const event = chance.weighted({
      act: 66,
      wait: 30,
      'wait-long': 0.4,
      kill: 1.2,
      reopen: 0.3,
      stop: 0.3,
      calm: 0.5,
      jump: 0.2,
    })
    switch (event) {
      case 'act':
        this.#act()
        await turns(chance.between(0, 12))
        break
      case 'wait':
        await this.#world.timeline.advance(2 ** chance.between(0, 12))
        break
      case 'wait-long':
        await this.#world.timeline.advance(chance.between(1, 10) * MINUTE_MS)
        break
      case 'kill':
        chance.one(this.#processes).kill()
        break
      case 'reopen':
        await this.#reopen()
        break
      case 'stop':
        void chance.one(this.#processes).stop()
        break
      case 'calm':
        this.#setRoughness(chance.one([0, 0.3, 1]))
        break
      case 'jump':
        this.#jump()
    }
    this.#raiseTheDead()
  }

  /** Stops the faults, starts every process, and lets time pass until nothing is open. Resolves to the faults. */
  async settle(): Promise<string[]> {
    const world = this.#world
    const { timeline, sandbox, botBook, serviceBook } = world
    this.#setRoughness(0)
    await this.#until(this.plan.end())
    world.provider.calm()
    await this.#until(this.#agreeOnTheTime())
    sandbox.setFault('fail', { times: 0 })
    sandbox.release(this.#chance.one(['settle', 'fail']))
    world.trace.note('calm')
    const restarts = this.#chance.happens(0.5)
    const open = () => [
      ...stillOpen(botBook, 'bot'),
      ...stillOpen(serviceBook, 'service'),
      ...uncredited(botBook, serviceBook),
    ]
    let [pausedMs, waited, awake, askOperatorsAt] = [0, 0, 0, OPERATORS_EVERY_MS - MINUTE_MS]
    let sleep = this.#onServer ? FIRST_SLEEP_MS : 0
    for (; waited < SETTLE_TIMEOUT_MS && pausedMs < PAUSE_TIMEOUT_MS; waited += MINUTE_MS, awake += MINUTE_MS) {
      if (sleep > 0 && awake >= AWAKE_MS) {
        await sleepFor(world, sleep, (work) => this.#until(work))
        ;[waited, awake, sleep] = [waited + sleep, 0, Math.min(2 * sleep, MAX_SLEEP_MS)]
      }
      await timeline.advance(MINUTE_MS)
      await watchWhatIsDue(this.#stage, (work) => this.#until(work))
      // In every other world, somebody restarts everything, which polls open work immediately.
      if (waited === RESTART_AFTER_MS && restarts) for (const process of this.#processes) process.kill()
      this.#raiseTheDead()
      if (waited >= askOperatorsAt) {
        await this.#askOperators()
        askOperatorsAt = waited + OPERATORS_EVERY_MS
      }
      const wrong = [...world.bugs, ...world.judge.whileSettling(botBook, serviceBook)]
      if (wrong.length > 0) return wrong
      const left = open()
      if (this.#acting.size === 0 && left.length === 0 && this.#processes.every(({ running }) => running)) return []
      pausedMs = left.length > 0 && left.every((each) => each.includes("'s pause ")) ? pausedMs + MINUTE_MS : 0
    }
    const left = open()
    return [
      'after hours of calm:',
      ...left,
      ...[...this.#acting.values()].map((name) => `one of the ${name} still waits`),
    ]
  }

  /**
   * Sets the clocks of all sides that were ever wrong to the same time, confirms them, and restarts their processes. No
   * clock goes back behind a time that it has shown, since work begun at that time would last until the clock shows it
   * again.
   */
  async #agreeOnTheTime(): Promise<void> {
    const { bot, service, services } = this.#world
    const aheadMs = Math.max(bot.furthestMs, service.furthestMs)
    for (const process of [bot, service]) {
      if (!process.setClock(aheadMs)) continue
      await process.confirmClock()
      for (const each of process === bot ? bot.all : services) each.kill()
    }
  }

  /** Continues scheduled work through the next days, until nothing is open again. Resolves to the faults. */
  async liveOn(): Promise<string[]> {
    const until = (work: Promise<unknown>) => this.#until(work)
    return (await liveThroughSchedules(this.#stage, this.#chance, until)) ? await this.settle() : []
  }

  /** Resolves to the faults that the judge finds at the end, including faults in what people then see. */
  async judge(): Promise<string[]> {
    const { bot, judge, botBook } = this.#world
    await this.#until(judgeSchedules(this.#stage))
    noteRuleRewards(this.#world)
    noteTipsByInvoice(this.#world)
    const sentOn = botBook.rows<{ id: string; member: string; destination: string }>(
      'SELECT "id", "member", "destination" FROM "Withdrawal" WHERE "forwarded"',
    )
    judge.withdrawals.forwarded(sentOn, judge.now())
    const ofLists = botBook.rows<{ id: string; destination: string; amount: bigint }>(
      'SELECT "id", "destination", "amount" FROM "Withdrawal" WHERE "pool" IS NOT NULL',
    )
    judge.withdrawals.sentByLists(ofLists, judge.now())
    const showing = bot.up().then((tipping) => showAll(this.#world, tipping))
    await this.#until(showing)
    const shown = await showing
    const model = this.#world.model.copy()
    judge.serverWallets.judge(botBook)
    judge.ownWallets.judge(botBook, this.#world.memberWallets.network.payments)
    return [...pages({ ...this.#world, model }), ...lastJudgement(judge, { ...this.#world, model, shown })]
  }

  /** Deposits a member's first sats, so that they have some to give. */
  async #fund(member: string): Promise<void> {
    await deposit(this.#stage, member, this.#chance.between(1_000, 20_000))
    const payable = this.#stage.payables.at(-1)
    if (payable !== undefined) await pay(this.#stage, payable)
  }

  /** Has operators decide about records that have long been unknown. */
  async #askOperators(): Promise<void> {
    const { running } = this.#world.bot
    if (running === undefined) return
    const deciding = decideUnknown(this.#world, running)
    await this.#until(deciding)
    this.decided += await deciding
  }

  #act(): void {
    if (this.#acting.size >= MAX_CONCURRENT) return
    const actor = this.#actors.get(this.#chance.weighted(this.#weights)) as Actor
    const act = {}
    this.#acting.set(act, actor.name)
    actor
      .act(this.#stage)
      .catch((error: unknown) => this.#world.bugs.push(`${actor.name}: ${describe(error)}`))
      .finally(() => this.#acting.delete(act))
  }

  #setRoughness(roughness: number): void {
    const { network, faults, trace } = this.#world
    network.trouble = 0.06 * roughness
    faults.node = 0.03 * roughness
    faults.deaths = 0.004 * roughness
    trace.note(`roughness ${roughness}`)
  }

  /** Restarts each dead process with a probability that revives most of them soon. */
  #raiseTheDead(): void {
    for (const process of this.#processes) {
      if (process.dead && this.#chance.happens(0.2)) void process.start()
    }
  }

  /** Kills a process, and lets its successor reopen the files. */
  async #reopen(): Promise<void> {
    const process = this.#chance.one(this.#processes)
    process.kill()
    await process.closeFiles()
  }

  #jump(): void {
    const { bot, service, trace } = this.#world
    const process = this.#chance.one([bot, service])
    const ms = this.#chance.one([-1, 1]) * 2 ** this.#chance.between(10, 20)
    trace.note(`a clock jumps by ${ms} ms`)
    process.jumpClock(ms)
  }

  async #until(work: Promise<unknown>): Promise<void> {
    let ended = false
    const end = () => {
      ended = true
    }
    work.then(end, end)
    while (!ended) {
      await quiet()
      const [bug] = this.#world.bugs
      if (!ended && bug !== undefined) throw new Bug('it cannot go on')
      if (ended) break
      await this.#world.timeline.advance(100)
      // The work may wait for a process that has died meanwhile.
      if (this.#begun) this.#raiseTheDead()
    }
    await work
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.stack}` : ''
  return `${error instanceof Bug ? error.message : error.stack}${cause}`
}
