import { mkdirSync } from 'node:fs'
import { ownProject } from '../assembly/own-project.ts'
import { type RunningBot, startBot } from '../assembly/start-bot.ts'
import { startService } from '../assembly/start-service.ts'
import type { Surroundings } from '../assembly/surroundings.ts'
import type { ServiceConfig } from '../config/config.ts'
import { type Administration, createAdministration } from '../payments-service/administration.ts'
import { CHART as SERVICE_CHART } from '../payments-service/books.ts'
import { openPaymentsDatabase } from '../payments-service/database.ts'
import type { Service } from '../payments-service/service.ts'
import { CHART as BOT_CHART } from '../tipping/books.ts'
import { openTippingDatabase } from '../tipping/database.ts'
import { createEmulator, type Emulator } from './emulator/emulator.ts'
import { type SeededWorld, seedWorld } from './emulator/seed-world.ts'
import { viewBook } from './world/book-view.ts'
import { keptPorts, type Ports } from './world/ports.ts'
import { createSandboxPhone } from './world/sandbox-phone.ts'
import { viewWaiting } from './world/waiting-view.ts'
import { WireLog } from './world/wire-log.ts'
import type { World } from './world.ts'

export interface WorldOptions extends Surroundings {
  /** Where everything is kept: both databases, the Lightning network, the emulator's servers and messages. */
  readonly folder: string
  /** Wished ports; others are taken, and kept, where these are not free. Default: any. */
  readonly ports?: Ports
  /** How long a sandbox payment takes, in milliseconds. Default: 0. */
  readonly paymentTakesMs?: number
  readonly gamertagReservedDays?: number
  /** Discord's limit of requests a second; a storm in a test raises it. */
  readonly discordRequestsPerSecond?: number
}

/** Who has a Lightning account in a new world, under a gamertag like their name. Carol and the newcomer have none. */
const GAMERTAGS = ['alice', 'bob', 'dave', 'mod']

/** Starts a world, or goes on with the one that the folder keeps. Closing it stops everything. */
export async function createWorld(options: WorldOptions): Promise<World> {
  mkdirSync(options.folder, { recursive: true })
  const { folder, clock, entropy, logger } = options
  const ports = await keptPorts(folder, options.ports ?? { emulator: 0, service: 0, callbacks: 0 })
  const databases = {
    tipping: await openTippingDatabase(`file:${folder}/tipping.sqlite`),
    payments: await openPaymentsDatabase(`file:${folder}/payments.sqlite`),
  }
  const emulator = await createEmulator({
    dataFile: `${folder}/playground.sqlite`,
    clock,
    entropy,
    logger: logger.child({ part: 'emulator' }),
    port: ports.emulator,
    ...(options.discordRequestsPerSecond ? { requestsPerSecond: options.discordRequestsPerSecond } : {}),
  })
  const seeds = seedWorld(emulator, clock.now())
  const wire = new WireLog(clock)
  const losing = { callbacks: 0 }
  const service = new ServicePart(options, ports, databases)
  const bot = new BotPart(options, { ports, databases, emulator, wire, losing, service })
  const names = createNames(emulator, databases)
  const world: World = {
    emulator,
    cast: { server: seeds.serverId, channels: seeds.channels, people: peopleOf(seeds) },
    service,
    bot,
    phone: createSandboxPhone(
      () => service.url,
      (count) => {
        losing.callbacks = count
      },
    ),
    async books() {
      const users = await names.accounts()
      return await Promise.all([
        viewBook({ side: 'bot', database: databases.tipping, chart: BOT_CHART, clock }, ({ owner }) =>
          names.person(owner),
        ),
        viewBook(
          { side: 'service', database: databases.payments, chart: SERVICE_CHART, clock },
          ({ owner }) => users.get(owner) ?? owner,
        ),
      ])
    },
    waiting: () => viewWaiting(databases.tipping, databases.payments, names.person),
    wire,
    settled: () => bot.settled(),
    async close() {
      await bot.kill()
      await service.kill()
      await emulator.close()
      await Promise.all([databases.tipping.close(), databases.payments.close()])
    },
  }
  try {
    await service.start()
    await addAccounts(service.administration(), databases)
    await bot.start()
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

interface Databases {
  readonly tipping: Awaited<ReturnType<typeof openTippingDatabase>>
  readonly payments: Awaited<ReturnType<typeof openPaymentsDatabase>>
}

class ServicePart {
  readonly #options: WorldOptions
  readonly #ports: Ports
  readonly #databases: Databases
  #service: Service | undefined

  constructor(options: WorldOptions, ports: Ports, databases: Databases) {
    this.#options = options
    this.#ports = ports
    this.#databases = databases
  }

  get running(): boolean {
    return this.#service !== undefined
  }

  /** The same before, while and after it runs. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.service}`
  }

  get current(): Service {
    if (!this.#service) throw new Error('the payments service is not running')
    return this.#service
  }

  administration(): Administration {
    const { database, ledger, clock, entropy, settings } = this.current.parts
    return createAdministration({ database, ledger, clock, entropy, settings, sandbox: true })
  }

  async start(): Promise<void> {
    if (this.#service) return
    const { folder, paymentTakesMs, gamertagReservedDays } = this.#options
    const service: ServiceConfig = {
      port: this.#ports.service,
      publicUrl: undefined,
      databaseUrl: `file:${folder}/payments.sqlite`,
      backend: 'sandbox',
      callbacksAllowLoopback: true,
      outgoingAllowLoopback: true,
      gamertagReservedDays: gamertagReservedDays ?? 30,
      feeLimitPercent: 1,
    }
    this.#service = await startService({
      ...this.#options,
      config: { service, dataFolder: folder, host: '127.0.0.1' },
      database: this.#databases.payments,
      paymentTakesMs,
    })
  }

  async kill(): Promise<void> {
    const service = this.#service
    this.#service = undefined
    await service?.close()
  }
}

interface BotSurroundings {
  readonly ports: Ports
  readonly databases: Databases
  readonly emulator: Emulator
  readonly wire: WireLog
  readonly losing: { callbacks: number }
  readonly service: ServicePart
}

class BotPart {
  readonly #options: WorldOptions
  readonly #around: BotSurroundings
  #bot: RunningBot | undefined
  #provider: { apiKey: string; callbackSecret: string } | undefined

  constructor(options: WorldOptions, around: BotSurroundings) {
    this.#options = options
    this.#around = around
  }

  get running(): boolean {
    return this.#bot !== undefined
  }

  get tipping() {
    if (!this.#bot) throw new Error('the bot is not running')
    return this.#bot.tipping
  }

  async settled(): Promise<void> {
    await this.#bot?.bot.settled()
    await this.#bot?.tipping.settled()
    await this.#bot?.bot.settled()
  }

  async start(): Promise<void> {
    if (this.#bot) return
    const { emulator, service, ports, databases, wire, losing } = this.#around
    this.#provider ??= await ownProject(service.current, this.#options.folder)
    this.#bot = await startBot({
      ...this.#options,
      config: {
        callbacks: { port: ports.callbacks, publicUrl: undefined, signingSecrets: [] },
        host: '127.0.0.1',
        ratesUrl: undefined,
      },
      discord: {
        token: emulator.token,
        apiUrl: emulator.restUrl,
        cdnUrl: emulator.cdnUrl,
        guildId: undefined,
        homeGuildId: undefined,
        operatorsChannelId: undefined,
      },
      provider: {
        baseUrl: service.url,
        altBaseUrl: service.url,
        apiKey: this.#provider.apiKey,
        signingSecrets: [this.#provider.callbackSecret],
        local: true,
      },
      database: databases.tipping,
      observe: (event) => wire.exchanged(event),
      hint: (tipping) => (token, said) => {
        const lost = losing.callbacks > 0
        wire.calledBack(said, lost)
        if (!lost) return tipping.hint(token, said)
        losing.callbacks -= 1
        throw new Error('this callback was lost on purpose')
      },
    })
  }

  async kill(): Promise<void> {
    const bot = this.#bot
    this.#bot = undefined
    await bot?.close()
  }
}

function peopleOf(seeds: SeededWorld): Record<string, string> {
  return { ...seeds.people }
}

async function addAccounts(administration: Administration, { payments }: Databases): Promise<void> {
  if ((await payments.read.user.count()) > 0) return
  for (const gamertag of GAMERTAGS) await administration.createUser(gamertag)
}

/** Names for what the books know by ids. */
function createNames(emulator: Emulator, { payments }: Databases) {
  return {
    person: (id: string) => emulator.world.people().find((person) => person.id === id)?.username ?? id,
    async accounts(): Promise<Map<string, string>> {
      const [users, projects] = await Promise.all([payments.read.user.findMany(), payments.read.project.findMany()])
      return new Map([
        ...users.map((user) => [`user:${user.id}`, user.gamertag] as const),
        ...projects.map((project) => [`project:${project.id}`, project.name] as const),
      ])
    },
  }
}
