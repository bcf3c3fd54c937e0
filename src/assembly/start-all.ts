import { type Bot, CONNECT_PAGE_POLICY, createConnectPages, createPayPages, PAY_PAGE_POLICY } from '../bot/bot.ts'
import type { Config, DiscordConfig } from '../config/config.ts'
import { ConfigProblem, settingsSources } from '../config/config.ts'
import { lastOwnerOn } from '../lib/ownership/last-owner.ts'
import type { NodeInfo } from '../payments-service/backends/backend.ts'
import type { OperatorAlert } from '../payments-service/core/operator-alerts.ts'
import { compareNodes } from '../payments-service/engine/node/book-node.ts'
import type { Service } from '../payments-service/service.ts'
import type { Tipping } from '../tipping/tipping.ts'
import { addConnectRoutes, addOperatorsPages, addPayRoutes } from '../web/web-server.ts'
import { watchServiceBook } from './audit/watch-service-book.ts'
import { createBackupDownloads } from './backup/download-backup.ts'
import { allowFirstBook, BookCheck } from './books/check-books.ts'
import type { Side } from './books/hold-books.ts'
import { heldAtBot } from './held-at-bot.ts'
import { operateService } from './operate-service.ts'
import { OperatorsBoard, sideOf } from './operators-board.ts'
import { OwnCallbacks } from './own-callbacks.ts'
import { nameOwnProject, ownAdministration, ownProject, storedProject } from './own-project.ts'
import type { Runtime } from './runtime.ts'
import { checkChannel } from './set-up/check-channel.ts'
import { createSettings } from './settings/settings.ts'
import { type BotStart, discordOf, type Provider, type RunningBot, startBot } from './start-bot.ts'
import { lastOwnerOfService, type ServiceStart, startService } from './start-service.ts'
import { openWalletKeys } from './wallet-keys.ts'
import { warnOfNoAddress, warnOfNoConnectPage } from './warn-of-no-address.ts'
import { warnOfNoOperators } from './warn-of-no-operators.ts'

type BotsBook = NonNullable<BotStart['books']>

export interface RunningAll {
  readonly bot: RunningBot
  /** The bundled service's address; undefined if another provider is used. */
  readonly serviceUrl: string | undefined
  close(): Promise<void>
}

/**
 * Returns the sides whose books a start on Discord needs: the bot's, and the service's if it runs in the same process.
 */
export function sidesOf({ provider }: Pick<Config, 'provider'>): readonly Side[] {
  return provider === undefined ? ['bot', 'service'] : ['bot']
}

/** Creates the check of the books for a start without `--new-book`. */
function checkOf(config: Config, { clock }: Runtime): BookCheck {
  return new BookCheck(config, { sides: sidesOf(config), newBook: false, clock })
}

/**
 * Starts the bot on Discord, and the payments service in the same process unless the configuration names another
 * provider. Throws ConfigProblem if there is no bot token, OtherBook if a book is not the right one, and what
 * `startService` and `startBot` throw.
 */
export async function startAll(
  config: Config,
  runtime: Runtime,
  check = checkOf(config, runtime),
): Promise<RunningAll> {
  const discord = mustHaveDiscord(config)
  warnOfNoOperators(discord, runtime.logger)
  // The service has a public address that every wallet reaches, so the payment pages are there, too.
  const later: Later = {}
  const { clock } = runtime
  const [tipping, known] = [() => later.tipping, discordOf(later)]
  const pages = { pages: createPayPages(tipping, known), policy: PAY_PAGE_POLICY, clock }
  const { publicUrl } = config.service
  const connectPages = { pages: createConnectPages(tipping, known), policy: CONNECT_PAGE_POLICY, clock, publicUrl }
  const side = () => later.service && sideOf(later.service)
  const operatorsBoard = new OperatorsBoard(runtime, forOperators(config, runtime, later), side)
  const addRoutes: ServiceStart['addRoutes'] = (app) => {
    addPayRoutes(app, pages)
    addConnectRoutes(app, connectPages)
    addOperatorsPages(app, operatorsBoard, config.service.publicUrl)
  }
  const alerts = new AlertsOfService(runtime)
  const onAlert = (alert: OperatorAlert) => alerts.take(alert)
  const own = new OwnCallbacks(config)
  const isOwnCallback = own.include
  const lastOwner = config.provider ? undefined : lastOwnerOfService(config, runtime)
  const service = config.provider
    ? undefined
    : await startService({
        config,
        lastOwner,
        isOwnCallback,
        ownProject: own.project,
        heldAtBot: heldAtBot({ isOwn: own.isOwn, tipping: () => later.tipping }),
        addRoutes,
        onAlert,
        checkBook: check.ofService,
        ...runtime,
      })
  if (service) later.service = service
  if (service) warnOfNoAddress(config.service.publicUrl, runtime.logger)
  if (config.custody === 'none') warnOfNoConnectPage(config.callbacks.publicUrl, runtime.logger)
  try {
    const provider = config.provider ? otherProvider(config) : await ownProvider(config, service, own)
    const pagesUrl = service && config.service.publicUrl
    const bot = await startBot({
      ...{ config, discord, provider, pagesUrl, operatorsBoard, ...runtime },
      ownWallets: { keys: openWalletKeys(config.walletKeyFile) },
      onWebServer: own.arriveAt,
      ...bookOfBot(config, runtime),
      ...{ books: botsBook(check), settings: { payTestSats: config.provider ? undefined : service?.payTestSats } },
    })
    Object.assign(later, { tipping: bot.tipping, bot: bot.bot })
    if (service && config.provider === undefined) {
      await nameOwnProject(service, config.dataFolder, bot.bot.communityName())
    }
    alerts.tellBy(bot.tipping)
    const watch = service && watchServiceBook({ ...runtime, ...bookOf(config), tipping: bot.tipping })
    const close = async () => {
      await watch?.close()
      await bot.close()
      await service?.close()
    }
    return { bot, serviceUrl: service?.url, close }
  } catch (error) {
    await service?.close()
    throw error
  }
}

const GOOD_NEWS: ReadonlySet<OperatorAlert['alert']> = new Set(['node_back', 'suspense_given', 'payment_decided'])

/** Sends the service's alerts to the operators' channel. Alerts from before the bot runs wait until it does. */
class AlertsOfService {
  readonly #waiting: OperatorAlert[] = []
  readonly #runtime: Runtime
  #tipping: Pick<Tipping, 'administration'> | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  take(alert: OperatorAlert): void {
    if (this.#tipping === undefined) this.#waiting.push(alert)
    else this.#tell(this.#tipping, alert)
  }

  tellBy(tipping: Pick<Tipping, 'administration'>): void {
    this.#tipping = tipping
    for (const alert of this.#waiting.splice(0)) this.#tell(tipping, alert)
  }

  #tell({ administration }: Pick<Tipping, 'administration'>, { text, alert }: OperatorAlert): void {
    administration
      .tellOfNode(text, GOOD_NEWS.has(alert))
      .catch((error: unknown) =>
        this.#runtime.logger.error({ err: error }, 'operators could not be informed about the node'),
      )
  }
}

/**
 * Creates what the console can do outside the bot's book. `later` contains the service as soon as the service runs, if
 * it is in this process.
 */
function forOperators(config: Config, runtime: Runtime, later: Later) {
  const redeliver = async () => later?.service && (await ownAdministration(later.service).redeliverCallbacks())
  const atService = () =>
    later?.service &&
    operateService({
      administration: ownAdministration(later.service),
      ownProject: storedProject(config.dataFolder)?.projectId,
      publicUrl: later.service.parts.publicUrl,
    })
  const backUp = createBackupDownloads(config, runtime.clock)
  const settings = config.discord && settingsOf(config, config.discord, runtime, later)
  return { ...config, backUp, settings, atService, ...(config.provider === undefined && { redeliver }) }
}

/** The parts that run; each is undefined until it has started. */
interface Later {
  tipping?: Tipping
  bot?: Bot
  service?: Service
}

function settingsOf({ operators }: Config, discord: DiscordConfig, runtime: Runtime, later: Later) {
  const { token: botToken, apiUrl = 'https://discord.com/api' } = discord
  return createSettings({
    ...{ ...settingsSources(), runtime, botToken, apiUrl },
    isAlone: operators === 'one',
    believesClock: () => later.tipping?.administration.believesClock() ?? false,
    isIn: (server) => later.bot?.people.serverName(server) !== undefined,
    whyNoChannel: async (channel, token) => await checkChannel(channel, token, apiUrl),
    whyNotOurs: async (kind, node) => await whyNotOurs(later.service, kind, node),
  })
}

/**
 * Resolves to why a node is not the node of the service's book; undefined if it is, or if there is no such book here.
 */
async function whyNotOurs(service: Service | undefined, kind: string, node: NodeInfo): Promise<string | undefined> {
  const book = await service?.parts.database.read.bookNode.findFirst()
  return book ? compareNodes(book, kind, node)?.message : undefined
}

/**
 * How often the service's book is audited. Checking every line and page takes long, so this happens less often than for
 * the bot's book.
 */
const SERVICE_BOOK_EVERY_MS = 6 * 3_600_000

function bookOf({ service }: Config) {
  return { database: service.databaseUrl, everyMs: SERVICE_BOOK_EVERY_MS }
}

/** Returns the bot's book, and where the book's processes note their ids. Call it while the data folder is locked. */
function bookOfBot({ tippingDatabaseUrl, dataFolder }: Config, { logger }: Runtime) {
  return { database: tippingDatabaseUrl, lastOwner: lastOwnerOn(tippingDatabaseUrl, dataFolder, 'bot', logger) }
}

function botsBook(check: BookCheck): BotsBook {
  return { checkBook: check.ofBot, onBegun: check.botHasBegun, isSaidToBeNew: () => check.isBotSaidToBeNew }
}

/**
 * Starts only the bot, for the configured provider. Throws ConfigProblem if no provider or bot token is configured, and
 * OtherBook if the bot's book is not the right one.
 */
export async function startBotAlone(
  config: Config,
  runtime: Runtime,
  check = checkOf(config, runtime),
): Promise<RunningBot> {
  const discord = mustHaveDiscord(config)
  warnOfNoOperators(discord, runtime.logger)
  const provider = otherProvider(config)
  const books = botsBook(check)
  const ownWallets = { keys: openWalletKeys(config.walletKeyFile) }
  const later: Later = {}
  const operatorsBoard = new OperatorsBoard(runtime, forOperators(config, runtime, later))
  const bot = await startBot({
    config,
    discord,
    provider,
    ownWallets,
    operatorsBoard,
    ...bookOfBot(config, runtime),
    books,
    ...runtime,
  })
  Object.assign(later, { tipping: bot.tipping, bot: bot.bot })
  return bot
}

function mustHaveDiscord(config: Config) {
  if (config.discord) return { ...config.discord, token: config.discord.token.reveal() }
  throw new ConfigProblem([
    'DISCORD_TOKEN is missing. Copy it from the Bot page of your application at https://discord.com/developers/applications. ' +
      'Example: DISCORD_TOKEN=MTA….Gx….abc',
  ])
}

function otherProvider(config: Config): Provider {
  if (!config.provider) {
    throw new ConfigProblem([
      'PAYMENTS_BASE_URL and PAYMENTS_API_KEY are missing. Without its own payments service, the bot needs a provider. Example: PAYMENTS_BASE_URL=http://127.0.0.1:8787',
    ])
  }
  const { baseUrl, altBaseUrl, apiKey } = config.provider
  return {
    baseUrl,
    altBaseUrl,
    apiKey: apiKey.reveal(),
    signingSecrets: config.callbacks.signingSecrets.map((secret) => secret.reveal()),
    local: isLoopback(baseUrl),
  }
}

function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

async function ownProvider(
  config: Config,
  service: Awaited<ReturnType<typeof startService>> | undefined,
  own: OwnCallbacks,
): Promise<Provider> {
  if (!service) throw new Error('the bundled service is not running')
  if (storedProject(config.dataFolder) === undefined) allowFirstBook(config)
  const { projectId, apiKey, callbackSecret } = await ownProject(service, config.dataFolder)
  own.belongTo(projectId)
  return {
    ...{ baseUrl: service.url, altBaseUrl: service.url, apiKey, signingSecrets: [callbackSecret] },
    local: true,
    // On another address of this machine (LISTEN_HOST), no code is followed.
    publicUrl: isLoopback(service.url) ? config.service.publicUrl : undefined,
  }
}
