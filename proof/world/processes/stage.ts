import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allowNewBook } from '../../../src/assembly/books/check-books.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../../src/discord-emulator/emulator.ts'
import { type SeededWorld, seedWorld } from '../../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { openAdministration } from '../../../src/payments-service/administration/administration.ts'
import { sandboxToken } from '../../../src/payments-service/backends/sandbox/sandbox-token.ts'
import { storedPorts } from '../../../src/playground/world/ports.ts'
import { createSandboxPhone } from '../../../src/playground/world/sandbox-phone.ts'
import type { Phone } from '../../../src/playground/world.ts'
import { BookWatch } from '../../judge/book-watch.ts'
import { type Evidence, NOTHING_KEPT } from '../../judge/evidence.ts'
import { Model } from '../../judge/model.ts'
import { BOT_SIDES, SERVICE_SIDES } from '../../judge/sides.ts'
import { type FailingDisk, failingDisks } from './failing-disk.ts'
import { KillableProcess } from './killable-process.ts'

/** The operator's first gift to the bot. */
export const FLOAT = sats(50_000)
/** The gamertags that people link; nobody can have the gamertag `mod`, because it suggests authority. */
export const GAMERTAGS = { alice: 'alice', bob: 'bob', dave: 'dave', mod: 'molly' } as const

/** Discord in this process, the bot and the service as separate processes, and their files. */
export interface Stage {
  readonly emulator: Emulator
  readonly seeded: SeededWorld
  readonly phone: Phone
  readonly bot: KillableProcess
  readonly service: KillableProcess
  /** The service's address, and the key of the bot's project there. */
  readonly serviceUrl: string
  readonly apiKey: string
  /** The bot's project, and that of a shop, which has nothing to do with the bot. */
  readonly projects: { readonly bot: StageProject; readonly shop: StageProject }
  /** The address of the bot's web server. */
  readonly botUrl: string
  /** The disks of bot and service; undefined unless requested. */
  readonly disks: { readonly bot: FailingDisk; readonly service: FailingDisk } | undefined
  /** The bot's book, a SQLite file. */
  readonly botFile: string
  /** Opens the files for reading; the caller closes the result. Bot and service must have been started once. */
  readonly look: () => Evidence & { close(): void }
  /** Ends everything, in any state, and removes the files. */
  close(): Promise<void>
}

/** A client of the service. */
export interface StageProject {
  readonly projectId: string
  readonly apiKey: string
  /** The secret that signs its callbacks. */
  readonly callbackSecret: string
}

export interface StageOptions {
  readonly requestsPerSecond?: number
  /** Whether the seeded server is the operators' home server. */
  readonly operatorsHome?: boolean
  /** How many shards Discord recommends to the bot; 1 if left out. */
  readonly shards?: number
  readonly sickDisks?: boolean
  /** A real node in place of the sandbox. */
  readonly node?: StageNode
}

/** A real Lightning node of the service, and the rest of its network. */
export interface StageNode {
  /** Variables of the service's environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly phone: Phone
  /** The file into which the network's records are written at the end, in the sandbox's form. */
  readonly memory: string
}

/**
 * Sets everything up, and starts only Discord, which limits a bot's requests to `requestsPerSecond`. With `sickDisks`,
 * the disks of bot and service can be made to fail, where `disksCanFail` returns true.
 */
export async function createStage({
  requestsPerSecond = 100_000,
  operatorsHome = false,
  shards = 1,
  sickDisks = false,
  node,
}: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-kills-'))
  // The wallet is filled before the bot begins its book, as an operator would do.
  allowNewBook(parseConfig({ DATA_FOLDER: folder }), 'bot')
  const make = sickDisks ? failingDisks(folder) : undefined
  const disks = make && { bot: make('bot'), service: make('service') }
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const ports = await storedPorts(folder, systemEntropy)
  const emulator = await createEmulator({ ...runtime, requestsPerSecond, shards })
  const seeded = seedWorld(emulator, Date.now())
  const { project, shop, users } = await populate(`file:${folder}/payments.sqlite`, node === undefined, seeded.people)
  const shared = { DATA_FOLDER: '.', LOG_LEVEL: 'silent', OUTGOING_ALLOW_LOOPBACK: 'true' }
  const serviceUrl = `http://127.0.0.1:${ports.service}`
  const service = new KillableProcess('service.ts', folder, {
    ...shared,
    ...disks?.service.environment,
    ...node?.environment,
    SERVICE_PORT: String(ports.service),
    CALLBACKS_ALLOW_LOOPBACK: 'true',
    PUBLIC_REQUESTS_PER_SECOND: '0',
    INVOICES_PER_MINUTE: '0',
  })
  const bot = new KillableProcess('bot.ts', folder, {
    ...shared,
    ...disks?.bot.environment,
    DISCORD_TOKEN: emulator.token,
    DISCORD_API_URL: emulator.restUrl,
    ...{ PAYMENTS_BASE_URL: serviceUrl, PAYMENTS_API_KEY: project.apiKey },
    CALLBACK_PORT: String(ports.callbacks),
    ...(operatorsHome && { HOME_GUILD_ID: seeded.serverId }),
    ...{ CALLBACK_SIGNING_SECRET: project.callbackSecret, PUBLIC_API_REQUESTS_PER_SECOND: '0' },
  })
  const botFile = join(folder, 'tipping.sqlite')
  const look = () => {
    const books = {
      botBook: new BookWatch('bot', botFile, BOT_SIDES),
      serviceBook: new BookWatch('service', join(folder, 'payments.sqlite'), SERVICE_SIDES),
      lightning: new BookWatch('lightning', node?.memory ?? join(folder, 'lightning-sandbox.sqlite'), {}),
    }
    const projects = { bot: { id: project.projectId }, stranger: { id: shop.projectId } }
    const close = () => {
      for (const book of Object.values(books)) book.close()
    }
    return { ...books, ...beforeAnybodyActs(), projects, users, close }
  }
  const close = async () => {
    await Promise.all([bot.discard(), service.discard()])
    await Promise.all([emulator.close(), ports.giveBack()])
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    emulator,
    seeded,
    phone:
      node?.phone ??
      createSandboxPhone({ url: () => serviceUrl, token: sandboxToken(folder, systemEntropy) }, () => undefined),
    serviceUrl,
    botUrl: `http://127.0.0.1:${ports.callbacks}`,
    apiKey: project.apiKey,
    projects: { bot: project, shop },
    ...{ bot, service, disks },
    ...{ botFile, look, close },
  }
}

/**
 * Returns the state with which the proof begins: nobody has done anything, and the node has deducted nothing from its
 * receipts.
 */
export function beforeAnybodyActs(): Pick<Evidence, 'model' | 'shortfalls' | 'funded'> {
  return { model: new Model(), shortfalls: NOTHING_KEPT, funded: { all: FLOAT, stranger: 0n } }
}

/** Creates the projects of the bot and of a shop, and the wallets of people who have a gamertag. */
export async function populate(databaseUrl: string, sandbox: boolean, people: SeededWorld['people']) {
  const administration = await openAdministration({
    databaseUrl,
    clock: systemClock,
    entropy: systemEntropy,
    settings: { gamertagReservedDays: 30, reservedNames: [] },
    sandbox,
  })
  const project = await administration.createProject('the bot', sandbox ? FLOAT : undefined)
  const shop = await administration.createProject('a shop')
  const users = []
  for (const who of ['alice', 'bob', 'dave', 'mod'] as const) {
    // Opened as /wallet would have done, so that no proof is needed.
    const opener = { projectId: project.projectId, reference: people[who] }
    users.push((await administration.createUser(GAMERTAGS[who], false, opener)).userId)
  }
  await administration.close()
  return { project, shop, users }
}
