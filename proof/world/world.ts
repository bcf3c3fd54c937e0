import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLedger } from '../../src/ledger/ledger.ts'
import { pause } from '../../src/lib/clock.ts'
import { type Msats, msats, sats } from '../../src/lib/money/amount.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import {
  createSandboxNetwork,
  type SandboxNetwork,
} from '../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { CHART as SERVICE_CHART } from '../../src/payments-service/core/chart-of-accounts.ts'
import { openPaymentsDatabase, type Tx } from '../../src/payments-service/core/database.ts'
import type { TippingSettings } from '../../src/tipping/core/settings.ts'
import type { DrawnFault, WorldSetup } from '../faults/drawn-fault.ts'
import { OLD_BALANCES, OLD_MEMBERS, writeOldBook } from '../faults/old-book.ts'
import { setupOf } from '../faults/setup.ts'
import { BookWatch } from '../judge/book-watch.ts'
import type { Evidence } from '../judge/evidence.ts'
import { Judge, type JudgesClock } from '../judge/judge.ts'
import { Model } from '../judge/model.ts'
import {
  CODE_OPEN_SECONDS,
  CONFIRM_ABOVE,
  DEPOSIT_OPEN_MS,
  FAUCET_SHARE,
  FLOAT,
  MAX_WITHDRAWALS,
  WAITS_FOR_NEWCOMER_MS,
} from '../judge/promises.ts'
import { BOT_SIDES, SERVICE_SIDES } from '../judge/sides.ts'
import { BEACON_HOST, BeaconServer } from './beacon-server.ts'
import { BotProcess, type BotProcessParts } from './bot-process.ts'
import { Bots } from './bots.ts'
import { Chance, seededEntropy } from './chance.ts'
import { Life, type SickDisk } from './crashing-database.ts'
import { FaultyProvider } from './faulty-provider.ts'
import { LateRequests } from './late-requests.ts'
import { MemberWallets } from './member-wallets.ts'
import { Network, NetworkError } from './network.ts'
import { Offers } from './offers.ts'
import { outsideServer } from './outside-server.ts'
import { placesFrom } from './places.ts'
import { PRICES_HOST, PriceSource } from './price-source.ts'
import type { Faults } from './process.ts'
import type { RelayParts } from './relay.ts'
import { ServiceProcess, type ServiceProcessParts } from './service-process.ts'
import { Shortfalls } from './shortfalls.ts'
import { type Server, type SimulatedRequest, simulatedFetch } from './simulated-http.ts'
import { BEGINNINGS, Timeline } from './timeline.ts'
import { Trace } from './trace.ts'
import type { Complaint } from './watchful-log.ts'
import { WEBHOOK_HOST, webhookReceiver } from './webhook-receiver.ts'
import type { Places } from './world-places.ts'

export const SERVICE_URL = 'https://pay.example'
/** The address to which users return from the consent page. */
export const LOG_IN_REDIRECT = 'https://game.example/callback'
export const BOT_URL = 'https://bot.example'
export const OUTSIDE_HOST = 'wallet.example'

/** The error for an event that must never happen. */
export class Bug extends Error {
  override name = 'Bug'
}

/** A project at the service. */
export interface ProjectKey {
  readonly id: string
  readonly apiKey: string
  readonly callbackSecret: string
}

export interface WorldParts extends Evidence {
  /** The service's users; the list grows as members open wallets of their own. */
  readonly users: string[]
  readonly judge: Judge
  readonly timeline: Timeline
  readonly trace: Trace
  readonly chance: Chance
  readonly network: Network
  readonly internet: Server
  /** The latest genuine callbacks to the bot, which anybody may have recorded on the network. */
  readonly overheard: SimulatedRequest[]
  readonly sandbox: SandboxNetwork
  /** The first service; `services` are all of them, which share a book, a clock and an address. */
  readonly service: ServiceProcess
  readonly services: readonly ServiceProcess[]
  readonly bot: Bots
  readonly faults: Faults
  readonly projects: { readonly bot: ProjectKey; readonly stranger: ProjectKey }
  /** The stranger's program that users may log in to. */
  readonly program: { readonly clientId: string; readonly clientSecret: string | null }
  /** The provider, between the bot and the service. */
  readonly provider: FaultyProvider
  /** The faults that strike in this world. */
  readonly drawn: readonly DrawnFault[]
  readonly prices: PriceSource
  readonly memberWallets: MemberWallets
  readonly beacons: BeaconServer
  /** The address of the service's database for another process. */
  readonly serviceUrl: string
  /** The address of the bot's database for another process. */
  readonly botUrl: string
  /** Crashes the server of both books; the returned function restarts it. Undefined if the books are files. */
  readonly crashDatabase: (() => () => void) | undefined
  /** The number of mistakes that operators will still make in this world. */
  readonly operators: { mistakes: number; mistaken: () => void }
  /** How often external wallets will still pay too much. */
  readonly outsiders: { overpayments: number; overpaid: () => void }
  readonly shortfalls: Shortfalls
  readonly lateRequests: LateRequests
  readonly offers: Offers
  readonly funded: { all: bigint; readonly stranger: bigint }
  readonly bugs: string[]
  /**
   * The product's own complaints, in its log and its audit; separate from `bugs`, to show what is noticed without them.
   */
  readonly complaints: string[]
}

/** A simulated world: both sides and everything between them, on their own databases. */
export interface SimWorld extends WorldParts {
  /** Resolves when this much of the world's time has passed. */
  passing(ms: number): Promise<void>
  close(): Promise<void>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Settings that shorten a world's deadlines: what takes a day or a month elsewhere takes minutes here, so that a few
 * hundred steps reach its end.
 */
const SETTINGS: Partial<TippingSettings> = {
  claimDays: WAITS_FOR_NEWCOMER_MS / DAY_MS,
  depositOpenHours: DEPOSIT_OPEN_MS / HOUR_MS,
  withdrawalOpenSeconds: CODE_OPEN_SECONDS,
  confirmAbove: msats(CONFIRM_ABOVE),
  maxOpenWithdrawals: MAX_WITHDRAWALS,
  faucetAmount: msats(FAUCET_SHARE),
}

const STRANGER_FUNDS: Msats = sats(200_000)
const USERS = 6
const MAX_OVERHEARD = 20

/** Creates a folder in the quickest place for files: in memory, if this machine has such a place. Returns its path. */
export function scratchFolder(): string {
  const memory = '/dev/shm'
  return mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'satchel-simulation-'))
}

/** Creates a world from its seed. `write` receives each line of the world's trace. */
export async function createWorld(
  seed: string,
  template: string,
  drawn: readonly DrawnFault[],
  write?: (line: string) => void,
): Promise<SimWorld> {
  const folder = scratchFolder()
  const setup = setupOf(drawn)
  const timeline = new Timeline(new Chance(`${seed}/beginning`).one(BEGINNINGS))
  const trace = new Trace(timeline, write)
  const chance = new Chance(seed)
  const places = await placesFrom(template, folder, new Chance(`${seed}/server`))
  const network = new Network(timeline, trace, chance.child('network'))
  const bugs: string[] = []
  const servers = new Map<string, Server>()
  const internet = internetOf(servers)
  const forever = new Life(() => undefined)
  const sandbox = createSandboxNetwork({
    file: join(folder, 'lightning.sqlite'),
    clock: timeline,
    entropy: seededEntropy(chance.child('sandbox'), timeline),
    fetch: simulatedFetch({ network, life: forever, server: internet }),
  })
  const faults: Faults = { deaths: 0, node: 0, databaseAway: false }
  const onBug = noteIn(bugs)
  const complaints: string[] = []
  const onComplaint = (what: string) => void complaints.push(what)
  const isExcused = excusesOf(drawn)
  const parts = { timeline, trace, chance, network, internet, faults, onBug, onComplaint, isExcused }
  const judge = new Judge(judgesClock(timeline, () => ({ bot, service })))
  const older = setup.oldBook ? beginOldBook(places, timeline, chance) : 0n
  const { projects, program, users } = await populate(places.serviceUrl, timeline, chance, FLOAT + older)
  const ofNode = aroundNode({ sandbox, timeline, network, judge }, new Chance(`${seed}/relay`), () => books)
  const services = servicesOf({ ...parts, publicUrl: SERVICE_URL, ...ofNode }, places)
  const [service] = services
  const [provider, prices] = [new FaultyProvider(), new PriceSource((price) => judge.prices.said(price, judge.now()))]
  const beacons = new BeaconServer(timeline, (round, signature) => judge.beacons.said(round, signature))
  const memberWallets = new MemberWallets(timeline, new Chance(`${seed}/wallets`), faults)
  const bot: Bots = botsOf(places, new Chance(`${seed}/bots`), {
    ...parts,
    judge,
    onEnd: () => judge.botEnded(),
    paymentsUrl: SERVICE_URL,
    publicUrl: BOT_URL,
    ...{ keys: projects.bot, provider, memberWallets },
    settings: SETTINGS,
    ratesUrl: setup.prices ? `https://${PRICES_HOST}/` : undefined,
    beacons: beacons.options,
  })
  for (const [n, user] of users.entries()) judge.names.begins(user, `player${n}`, judge.now())
  servers.set(new URL(SERVICE_URL).hostname, balancer(services, new Chance(`${seed}/balancer`)))
  const overheard: SimulatedRequest[] = []
  servers.set(new URL(BOT_URL).hostname, overhear(bot, overheard))
  servers.set(PRICES_HOST, prices.server).set(WEBHOOK_HOST, webhookReceiver(judge.programs))
  servers.set(BEACON_HOST, beacons.server)
  servers.set(OUTSIDE_HOST, outsideServer(sandbox, judge.handedOut))
  const books = watchBooks(places, folder)
  const close = async () => {
    await closeAll([bot, ...services], sandbox, [...Object.values(books), places])
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    ...{ timeline, trace, chance, network, internet, sandbox, faults, ...books, provider, drawn },
    ...{ service, services, bot, crashDatabase: places.crash, ...ofNode },
    ...{ serviceUrl: places.serviceUrl, botUrl: places.botUrl, prices, memberWallets, beacons, ...unstruck() },
    passing: (ms) => pause(timeline, ms),
    ...{ funded: { all: FLOAT + older + STRANGER_FUNDS, stranger: STRANGER_FUNDS } },
    ...{ model: modelOf(setup), judge, projects, program, users, overheard, bugs, complaints, close },
  }
}

/** Returns the parts between the service's processes and its node and relay, which outlive the processes. */
function aroundNode(
  { sandbox, timeline, network, judge }: Pick<WorldParts, 'sandbox' | 'timeline' | 'network' | 'judge'>,
  chance: Chance,
  books: () => Pick<WorldParts, 'lightning' | 'serviceBook'>,
) {
  const publishes: RelayParts['publishes'] = (receipt) =>
    judge.zaps.published(receipt, books().lightning, books().serviceBook)
  return {
    ...{ sandbox, shortfalls: new Shortfalls(), lateRequests: new LateRequests() },
    offers: new Offers(sandbox, timeline, judge.offers),
    relay: { network, chance, publishes } satisfies RelayParts,
  }
}

/** Returns the parts of a process that concern its book. */
function bookAt(databaseUrl: string, { alone, fail }: Places) {
  return { databaseUrl, alone, fail: (disk: SickDisk) => fail(databaseUrl, disk) }
}

/** Creates one service, or two on one book, if two can share it. */
function servicesOf(parts: Omit<ServiceProcessParts, 'databaseUrl' | 'alone' | 'fail'>, places: Places) {
  const { service: first, secondService: second } = places.of
  const service = new ServiceProcess({ ...parts, ...bookAt(first, places) })
  if (second === undefined) return [service] as const
  const other = new ServiceProcess({ ...parts, ...bookAt(second, places) }, 'service-2')
  service.besides = [other]
  return [service, other] as const
}

/** Creates one bot, or two on one book, if two can share it. */
function botsOf(places: Places, chance: Chance, parts: Omit<BotProcessParts, 'databaseUrl' | 'alone' | 'fail'>): Bots {
  const { bot: first, secondBot: second } = places.of
  const others = second === undefined ? [] : [new BotProcess({ ...parts, ...bookAt(second, places) }, 'bot-2')]
  return new Bots(new BotProcess({ ...parts, ...bookAt(first, places) }), others, chance)
}

/** Returns a server that passes each request to a running service. */
function balancer(services: readonly ServiceProcess[], chance: Chance): Server {
  return async (request) => {
    const up = services.filter(({ running }) => running !== undefined)
    const [first] = services as [ServiceProcess]
    return await (up.length > 1 ? chance.one(up) : (up[0] ?? first)).receive(request)
  }
}

/** Returns counters of the mistakes that faults make people commit; all are 0 until a fault strikes. */
function unstruck(): Pick<WorldParts, 'operators' | 'outsiders'> {
  return { operators: { mistakes: 0, mistaken: () => {} }, outsiders: { overpayments: 0, overpaid: () => {} } }
}

/** Returns the simulated Internet, which finds each server by its host name. */
function internetOf(servers: ReadonlyMap<string, Server>): Server {
  return async (request) => {
    const server = servers.get(request.url.hostname)
    if (server === undefined) throw new NetworkError('getaddrinfo ENOTFOUND', 'ENOTFOUND', 'getaddrinfo')
    return server(request)
  }
}

function noteIn(bugs: string[]) {
  return (what: string, error: unknown) =>
    void bugs.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`)
}

/** Writes a book as an older version left it. Returns the sum of its members' balances. */
function beginOldBook({ folder }: Places, timeline: Timeline, chance: Chance): bigint {
  if (folder === undefined) throw new Error('a server has no books of older versions')
  writeOldBook(join(folder, 'tipping.sqlite'), chance.child('old book'), timeline.now())
  return OLD_BALANCES
}

/** Returns the model with people's balances at the beginning of the world. */
function modelOf({ oldBook }: WorldSetup): Model {
  const model = new Model()
  if (oldBook) for (const [member, amount] of OLD_MEMBERS) model.give(member, amount)
  return model
}

/** Returns the judge's clock, which is made before the sides whose clocks it reads. */
function judgesClock(timeline: Timeline, sides: () => Pick<WorldParts, 'bot' | 'service'>): JudgesClock {
  return {
    rests: () => timeline.rests,
    ms: () => timeline.monotonic(),
    wall: () => sides().bot.clock.now(),
    provider: () => sides().service.clock.now(),
  }
}

async function closeAll(
  processes: readonly Pick<Bots, 'kill' | 'closeFiles'>[],
  sandbox: SandboxNetwork,
  others: readonly { close(): void }[],
): Promise<void> {
  for (const process of processes) {
    process.kill()
    await process.closeFiles()
  }
  await sandbox.close()
  for (const other of others) other.close()
}

/** Returns the complaints that this world's faults excuse. */
function excusesOf(drawn: readonly DrawnFault[]) {
  return (side: 'bot' | 'service', complaint: Complaint) =>
    drawn.some(({ excuses }) => excuses?.[side]?.(complaint) === true)
}

/** Returns readers of both sides' books and of the network's records, independent of the product. */
function watchBooks({ rows }: Places, folder: string) {
  return {
    botBook: new BookWatch('bot', rows.bot, BOT_SIDES),
    serviceBook: new BookWatch('service', rows.service, SERVICE_SIDES),
    lightning: new BookWatch('lightning', join(folder, 'lightning.sqlite'), {}),
  }
}

/**
 * Returns the bot's server for callbacks, wrapped so that it records the latest callbacks that the bot accepts as
 * genuine.
 */
function overhear(bot: Bots, overheard: SimulatedRequest[]): Server {
  return async (request) => {
    const reply = await bot.receive(request)
    if (reply.status === 204) overheard.push(request)
    if (overheard.length > MAX_OVERHEARD) overheard.shift()
    return reply
  }
}

/**
 * Creates the people at the service: two projects, one of them with a program, and a few users, each with a gamertag.
 */
async function populate(url: string, timeline: Timeline, chance: Chance, funds: bigint) {
  const database = await openPaymentsDatabase(url)
  const ledger = createLedger<Tx, (typeof database)['write']>({ database, chart: SERVICE_CHART, clock: timeline })
  const entropy = seededEntropy(chance.child('people'), timeline)
  const settings = { gamertagReservedDays: 0, reservedNames: [] }
  const administration = createAdministration({ database, ledger, clock: timeline, entropy, settings, sandbox: true })
  const project = async (name: string, fund: Msats): Promise<ProjectKey> => {
    const { projectId: id, ...keys } = await administration.createProject(name, fund)
    return { id, ...keys }
  }
  const projects = { bot: await project('bot', msats(funds)), stranger: await project('stranger', STRANGER_FUNDS) }
  const users: string[] = []
  for (let n = 0; n < USERS; n += 1) users.push((await administration.createUser(`player${n}`)).userId)
  const about = { name: 'Game', redirectUris: [LOG_IN_REDIRECT], scopes: 'user,wallet' }
  const program = await administration.createClient(projects.stranger.id, about)
  await ledger.close()
  await database.close()
  return { projects, program, users }
}
