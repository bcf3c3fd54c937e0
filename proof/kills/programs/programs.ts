import { setTimeout as pause } from 'node:timers/promises'
import {
  CommunityClient,
  PaymentsClient,
  type StreamOptions,
  verifyWebhook,
} from '../../../clients/typescript/src/index.ts'
import type { Evidence } from '../../judge/evidence.ts'
import { Faults } from '../../judge/faults.ts'
import { judgeDeliveries, judgeStream } from '../../judge/heard.ts'
import { Programs as KeyJudge, type KeyReward } from '../../judge/programs.ts'
import type { Chance } from '../../world/chance.ts'
import type { Stage, StageProject } from '../../world/processes/stage.ts'
import { forgotten } from '../reported.ts'
import type { Traffic } from '../traffic.ts'
import { contentOf, eventsOfProject, eventsOfServer } from './due.ts'
import { Follower } from './follower.ts'
import { Keys } from './keys.ts'
import { Receiver } from './receiver.ts'
import { Rewarder } from './rewarder.ts'
import { Shop } from './shop.ts'

const REWARDERS = 2
const HOOKS = 2
/** The sats in the pool, enough for the rewards in the time of a thousand kills. */
const POOL_SATS = 1_000_000
const RECIPIENTS = ['alice', 'bob', 'carol', 'dave'] as const
/**
 * The longest pause between two attempts, in ms; a real client waits longer, but here a server returns within a second.
 */
const MAX_PAUSE_MS = 200
const LOOK_EVERY_MS = 50
const PEACE_LIMIT_MS = 300_000
const DAY_MS = 86_400_000

const KEY_REWARDS = `SELECT r."id", r."apiKey", r."requester", r."recipient", r."amount", r."state", o."interaction"
  FROM "Reward" r JOIN "Operation" o ON o."id" = r."id" WHERE r."apiKey" IS NOT NULL`

/** The stage on which programs work; `botUrl` and `serviceUrl` are all that programs need of bot and service. */
export type ProgramsStage = Pick<Stage, 'emulator' | 'seeded' | 'phone' | 'botUrl' | 'serviceUrl' | 'projects'>

/**
 * The programs of a community and of a shop. Two give rewards with the server's keys, whose budgets are soon spent. Two
 * receive the server's events, by webhook and by stream. The shop sells by charges. The bot's project and the shop's
 * project receive events by stream, and the shop also by callback. `end` and `close` must be called, and then `faults`.
 */
export class Programs {
  readonly #stage: ProgramsStage
  readonly #rewarders: readonly Rewarder[]
  readonly #shop: Shop
  readonly #shopsCallbacks: ReturnType<Receiver['address']>
  readonly #receiver: Receiver
  readonly #hooks: ReturnType<Receiver['address']>[] = []
  readonly #ofServer: Follower[] = []
  readonly #ofProjects: readonly Follower[]
  readonly #acting = new AbortController()
  readonly #listening = new AbortController()
  #actors: Promise<unknown> = Promise.resolve()
  #listeners: Promise<unknown> = Promise.resolve()
  /** The last entry of the book before any event. */
  #from = 0

  private constructor(stage: ProgramsStage, parts: { chance: Chance; keys: Keys; receiver: Receiver }) {
    const { chance, keys, receiver } = parts
    const { botUrl, serviceUrl, projects, phone, seeded } = stage
    this.#stage = stage
    this.#receiver = receiver
    const recipients = RECIPIENTS.map((who) => seeded.people[who])
    this.#rewarders = Array.from(
      { length: REWARDERS },
      () => new Rewarder({ chance: chance.child('rewarder'), keys, botUrl, recipients }),
    )
    this.#shopsCallbacks = receiver.address('shop', projects.shop.callbackSecret)
    const { url: callbackUrl } = this.#shopsCallbacks
    const { apiKey } = projects.shop
    this.#shop = new Shop({ chance: chance.child('shop'), serviceUrl, apiKey, callbackUrl, phone })
    this.#ofProjects = [
      followProject("the bot's project", serviceUrl, projects.bot, chance),
      followProject("the shop's project", serviceUrl, projects.shop, chance),
    ]
  }

  /** Fills the pool and makes the readers' keys while nobody else does anything, and then starts the programs. */
  static async begin(
    stage: ProgramsStage,
    { traffic, evidence, chance }: { traffic: Traffic; evidence: Evidence; chance: Chance },
  ): Promise<Programs> {
    const { botBook } = evidence
    const receiver = new Receiver(chance.child('receiver'))
    await receiver.listen()
    const keys = new Keys(traffic, (sql) => botBook.rows(sql))
    const programs = new Programs(stage, { chance, keys, receiver })
    await fillPool(stage, { traffic, evidence })
    programs.#from = Number(botBook.rows<{ id: bigint }>('SELECT MAX("id") AS id FROM "Entry"')[0]?.id ?? 0)
    for (let hook = 1; hook <= HOOKS; hook += 1) await programs.#hear(`hook-${hook}`, keys, chance)
    programs.#begin()
    return programs
  }

  /** Starts a program that receives events by webhook, and the same events by stream. */
  async #hear(name: string, keys: Keys, chance: Chance): Promise<void> {
    const hook = this.#receiver.address(name)
    const { secret, signingSecret } = await keys.make({ use: 'events', url: hook.url })
    hook.address.secret = signingSecret
    this.#hooks.push(hook)
    const client = new CommunityClient({ baseUrl: this.#stage.botUrl, apiKey: secret, pause: pauseShortly })
    const open = async function* (options: StreamOptions) {
      for await (const { id, data } of client.readEvents(options)) yield { id, content: contentOf(data) }
    }
    this.#ofServer.push(new Follower(name, { chance: chance.child(name), open, from: String(this.#from) }))
  }

  #begin(): void {
    const { signal } = this.#acting
    this.#actors = Promise.all([...this.#rewarders, this.#shop].map((actor) => actor.run(signal)))
    const followers = [...this.#ofServer, ...this.#ofProjects]
    this.#listeners = Promise.all(followers.map((follower) => follower.run(this.#listening.signal)))
  }

  /**
   * Continues in peace until every program has done or received something, since a few kills may leave no time for
   * that. Afterwards nobody begins anything new, and the readers no longer fail. Resolves when all requests are
   * answered.
   */
  async end(): Promise<void> {
    for (const began = performance.now(); performance.now() - began < PEACE_LIMIT_MS; await pause(LOOK_EVERY_MS)) {
      if (this.#calms().length === 0) break
    }
    for (const listener of [this.#receiver, ...this.#ofServer, ...this.#ofProjects]) listener.isStormy = false
    this.#acting.abort()
    await this.#actors
  }

  /** Stops the readers. */
  async close(): Promise<void> {
    this.#acting.abort()
    this.#listening.abort()
    await Promise.all([this.#actors, this.#listeners])
    await this.#receiver.close()
  }

  /**
   * Finds events that a reader should have received and has not, or received wrongly; at the end, there must be none.
   * With `toTheCursor`, webhooks are checked only up to their cursors in the book.
   */
  unheard({ botBook, serviceBook }: Evidence, toTheCursor = false): string[] {
    const ofServer = eventsOfServer(botBook, this.#stage.seeded.serverId, this.#from)
    const shops = eventsOfProject(serviceBook, this.#stage.projects.shop.projectId)
    const bots = eventsOfProject(serviceBook, this.#stage.projects.bot.projectId)
    const [ofBot, ofShop] = this.#ofProjects
    return [
      ...this.#ofServer.flatMap(({ name, sittings }) => judgeStream(name, sittings, ofServer)),
      ...judgeStream(ofBot?.name ?? '', ofBot?.sittings ?? [], bots),
      ...judgeStream(ofShop?.name ?? '', ofShop?.sittings ?? [], shops),
      ...this.#hooks.flatMap(({ url, address }) => {
        const heard = address.deliveries.map(({ id, body }) => ({ id, content: contentOf(JSON.parse(body)) }))
        const [row] = botBook.rows<{ cursor: bigint }>('SELECT "cursor" FROM "Webhook" WHERE "url" = ?', url)
        const end = ofServer.filter(({ id }) => BigInt(id) <= (row?.cursor ?? 0n)).length
        return judgeDeliveries(url, heard, ofServer, toTheCursor ? end : undefined)
      }),
      ...this.#uncalled(shops),
    ]
  }

  /** Checks that the callbacks of each charge arrive in order; different charges are independent. */
  #uncalled(events: ReturnType<typeof eventsOfProject>): string[] {
    const resources = Map.groupBy(events, ({ resource }) => resource)
    const resourceOf = new Map(events.map(({ id, resource }) => [id, resource]))
    const sent = Map.groupBy(this.#shopsCallbacks.address.deliveries, ({ id }) => resourceOf.get(id) ?? `none: ${id}`)
    return [...new Set([...resources.keys(), ...sent.keys()])].flatMap((resource) => {
      const heard = (sent.get(resource) ?? []).map(({ id, body }) => ({ id, content: body }))
      return judgeDeliveries(`of ${resource}`, heard, resources.get(resource) ?? [])
    })
  }

  /**
   * Finds faults in programs' actions, answers and events. Adds the rewards that programs were told they had given to
   * the model.
   */
  faults(evidence: Evidence): string[] {
    const { botBook, model } = evidence
    const told = [...this.#rewarders, this.#shop].flatMap((actor) => actor.told)
    for (const { id, recipient, amount } of this.#rewarders.flatMap(({ given }) => given))
      model.rewards.set(id, { recipient, amount, state: 'paid', isGift: false })
    const refused = this.#rewarders.flatMap((rewarder) => rewarder.refused)
    const done = new Set(
      botBook
        .rows<{ interaction: string }>('SELECT "interaction" FROM "Operation" WHERE "interaction" IS NOT NULL')
        .map(({ interaction }) => interaction),
    )
    return [
      ...[...this.#rewarders, this.#shop, this.#receiver].flatMap((program) => program.faults),
      ...[...this.#ofServer, ...this.#ofProjects].flatMap((follower) => follower.faults),
      ...refused.filter((name) => done.has(name)).map((name) => `${name} was refused, and carried out`),
      ...this.#overdrawn(botBook),
      ...forgotten(evidence, told),
      ...this.#calms(),
    ]
  }

  /**
   * Checks that each Idempotency-Key caused one payment, and that no API key paid more than its budget for 24 hours, a
   * time longer than this run.
   */
  #overdrawn(botBook: Evidence['botBook']): string[] {
    const faults = new Faults()
    const judge = new KeyJudge(faults)
    for (const { budgets } of this.#rewarders) for (const [key, budget] of budgets) judge.made(key, budget)
    const rows = botBook.rows<Omit<KeyReward, 'atMs'>>(KEY_REWARDS)
    judge.judge(rows.map((row) => ({ ...row, atMs: DAY_MS })))
    return faults.found
  }

  /**
   * Returns a sentence for each kind of action that no program did or received: for such a kind, there was no storm.
   */
  #calms(): string[] {
    const counts = {
      'gave a reward': this.#rewarders.flatMap(({ told }) => told).length,
      'sold anything': this.#shop.told.length,
      'was sent an event again': this.#hooks.reduce((sum, { address }) => sum + repeats(address.deliveries), 0),
      'was called back': this.#shopsCallbacks.address.deliveries.length,
      ...Object.fromEntries(
        [...this.#ofServer, ...this.#ofProjects].map(({ name, heard }) => [`heard, as ${name}`, heard]),
      ),
    }
    return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [`no program ${what}`] : []))
  }

  /** Returns lines that sum up the programs' actions. */
  report(): string[] {
    const given = this.#rewarders.flatMap((rewarder) => rewarder.given)
    const refused = this.#rewarders.flatMap((rewarder) => rewarder.refused)
    const budgets = this.#rewarders.flatMap((rewarder) => [...rewarder.budgets.keys()])
    const again = [...this.#rewarders, this.#shop].reduce((sum, actor) => sum + actor.again, 0)
    const followers = [...this.#ofServer, ...this.#ofProjects]
    const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
    const hooks = this.#hooks.map(({ address: { deliveries } }) => {
      return `${new Set(deliveries.map(({ id }) => id)).size} in ${deliveries.length} deliveries`
    })
    return [
      `Programs: ${given.length} rewards, ${refused.length} refused, by ${budgets.length} keys; ${this.#shop.told.length} charges, ${this.#shop.paid} paid; ${again} requests sent again after their answer`,
      `Streams: ${sum(followers.map(({ heard }) => heard))} events in ${sum(followers.map(({ sittings }) => sittings.length))} sittings; webhooks: ${hooks.join(', ')}; callbacks: ${this.#shopsCallbacks.address.deliveries.length}`,
    ]
  }
}

function repeats(deliveries: readonly { readonly id: string }[]): number {
  return deliveries.length - new Set(deliveries.map(({ id }) => id)).size
}

/** Lets an outside wallet fill the pool for all rewards, and sets a budget so that moderators may give them. */
async function fillPool({ phone }: ProgramsStage, { traffic, evidence }: { traffic: Traffic; evidence: Evidence }) {
  const [amount, channel] = [String(POOL_SATS), 'general'] as const
  await traffic.command('mod', 'pool budget', { role: '@Moderators', amount, period: 'month' }, channel)
  await traffic.command('mod', 'pool fund', { amount }, channel)
  const charges = () =>
    evidence.botBook.rows<{ request: string; paid: bigint }>(
      'SELECT "request", "credited" AS paid FROM "Fundraiser" WHERE "request" IS NOT NULL',
    )
  while (charges().length === 0) await pause(LOOK_EVERY_MS)
  await phone.pay(charges()[0]?.request ?? '')
  while (charges()[0]?.paid !== 1n) await pause(LOOK_EVERY_MS)
}

function followProject(
  name: string,
  baseUrl: string,
  { apiKey, callbackSecret }: StageProject,
  chance: Chance,
): Follower {
  const client = new PaymentsClient({ baseUrl, apiKey, pause: pauseShortly })
  const open = async function* (options: StreamOptions) {
    for await (const { id, data } of client.events(options)) {
      const { timestamp, signature, body } = data
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
      if (verifyWebhook({ headers, body, secret: callbackSecret }) === undefined)
        throw new Error(`the event ${id} is not signed as it should be`)
      yield { id, content: body }
    }
  }
  return new Follower(name, { chance: chance.child(name), open })
}

function pauseShortly(milliseconds: number): Promise<void> {
  return pause(Math.min(milliseconds, MAX_PAUSE_MS))
}
