import {
  type Bot,
  CONNECT_PAGE_POLICY,
  createBot,
  createConnectPages,
  createOverlayTexts,
  createPayPages,
  createStatusPage,
  LINKED_ROLES_POLICY,
  type Links,
  PAY_PAGE_POLICY,
} from '../bot/bot.ts'
import type { Config, DiscordConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { isFile } from '../lib/database/url-kinds.ts'
import { HttpProblem } from '../lib/http/http-problem.ts'
import { isOfThisMachine, mayBeAsked } from '../lib/http/outgoing-url.ts'
import type { Network } from '../lib/lightning/bolt11.ts'
import { sats } from '../lib/money/amount.ts'
import type { LastOwner } from '../lib/ownership/ownership.ts'
import {
  createPaymentsClient,
  type PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
} from '../payments-api/payments-api.ts'
import type { TippingDatabase } from '../tipping/core/database.ts'
import type { TippingSettings } from '../tipping/core/settings.ts'
import { createTipping, type TippingOptions } from '../tipping/create-tipping.ts'
import type { Tipping } from '../tipping/tipping.ts'
import {
  callbackPath,
  connectWalletPath,
  createWebServer,
  DISCORD_EVENTS_PATH,
  LINKED_ROLES_CALLBACK,
  LINKED_ROLES_PATH,
  payPath,
  signInPath,
  type WebServer,
} from '../web/web-server.ts'
import { noProvider } from './no-provider.ts'
import { OperatorsBoard } from './operators-board.ts'
import { createReplayKnowledge } from './replay-knowledge.ts'
import type { Runtime } from './runtime.ts'
import { warnOfUnnamedProxy } from './warn-of-unnamed-proxy.ts'

/** The payments provider that the bot uses, bundled or elsewhere. */
export interface Provider {
  readonly baseUrl: string
  readonly altBaseUrl: string
  readonly apiKey: string
  /** The secrets with which the provider signs callbacks; empty if it does not sign them. */
  readonly signingSecrets: readonly string[]
  /**
   * Whether the provider runs on this machine. If so, it reaches the web server at a loopback address, but at no other
   * private address.
   */
  readonly local: boolean
  /**
   * The public address that the provider's codes contain, if the provider is in this process and has such an address.
   */
  readonly publicUrl?: string | undefined
}

function placeOf({ local, publicUrl, baseUrl: localUrl }: Provider) {
  return { providerIsLocal: local, providerNearby: publicUrl ? { publicUrl, localUrl } : undefined }
}

export interface BotStart extends Runtime {
  readonly config: Pick<Config, 'callbacks' | 'publicApi' | 'host' | 'faucetSats' | 'ratesUrl' | 'ratesCurrency'> &
    Partial<Pick<Config, 'instance' | 'pages' | 'operators' | 'console' | 'drandUrl' | 'custody'>> & {
      readonly service: Pick<Config['service'], 'feeLimitPercent' | 'outgoingAllowLoopback' | 'trustProxy'> &
        Partial<Pick<Config['service'], 'metricsToken'>>
    }
  readonly discord: Omit<DiscordConfig, 'token' | 'gateway' | 'voice' | 'publicKey' | 'userInstall' | 'clientSecret'> &
    Partial<Pick<DiscordConfig, 'gateway' | 'voice' | 'publicKey' | 'userInstall' | 'clientSecret'>> & {
      readonly token: string
      readonly cdnUrl?: string
      /** Whether the application gets its own emoji. By default, it does. */
      readonly ownEmoji?: boolean
    }
  readonly provider: Provider
  readonly database: TippingDatabase | string
  /** Where this process notes its id, and finds the id of an earlier one that is certainly dead. */
  readonly lastOwner?: LastOwner | undefined
  /** The checks of the book (see `BookCheck`). By default, any book is right, as in a separate test world. */
  readonly books?: Pick<TippingOptions, 'checkBook' | 'onBegun' | 'isSaidToBeNew'>
  readonly settings?: Partial<TippingSettings>
  /** What members' own wallets need. Without it, nobody can connect a wallet. */
  readonly ownWallets?: TippingOptions['ownWallets']
  /** Receives every call to the provider and its answer, with secrets hidden. */
  readonly observe?: PaymentsClientOptions['observe']
  /**
   * The address at which browsers reach the payment pages, if it is not CALLBACK_PUBLIC_URL. `web-server` means the web
   * server's local address, for a world on one machine.
   */
  readonly pagesUrl?: string | 'web-server' | undefined
  /** How many calls a second Discord permits the bot to make. By default, Discord's usual limit. */
  readonly discordCallsPerSecond?: number | undefined
  /** The operators' pages, if they also have routes elsewhere. By default, they are created here. */
  readonly operatorsBoard?: OperatorsBoard
  /** Receives the web server's address before the bot requests callbacks. */
  readonly onWebServer?: (url: string) => void
  /** Wraps tipping for the web server, for worlds in which callbacks get lost. */
  readonly hint?: (tipping: Tipping) => Tipping['hint']
}

/** The bot with its parts: tipping, its payments client, the web server. */
export interface RunningBot {
  readonly tipping: Tipping
  readonly bot: Bot
  readonly callbackUrl: string | undefined
  close(): Promise<void>
}

/** Asks the provider for its network. Resolves to undefined if the provider does not say, or does not answer. */
async function askNetwork(payments: PaymentsClient): Promise<Network | undefined> {
  try {
    return (await payments.getWallet({}, { once: true })).data.network ?? undefined
  } catch (error) {
    if (error instanceof PaymentsError) return undefined
    throw error
  }
}

/**
 * Returns the options for the bot's book. `alone` is true if no other bot can use it: a command that starts a bot on a
 * file holds the file's lock.
 */
function bookOf({ database, lastOwner, books }: Pick<BotStart, 'database' | 'lastOwner' | 'books'>) {
  const own = typeof database === 'string'
  // A database that somebody else opened is small, in a world of one process.
  return { database, lastOwner, alone: !own || isFile(database), ownThread: own, ...books }
}

const DISCORD_API = 'https://discord.com/api'

/**
 * Starts the bot: opens its book, listens for callbacks, connects to Discord, and registers the commands. Throws
 * DatabaseProblem, OtherNetwork or HttpPortTaken, or Discord's error if Discord refuses the token.
 */
export async function startBot(start: BotStart): Promise<RunningBot> {
  const { config, discord, provider, clock, entropy, logger } = start
  warnOfUnnamedProxy({ variable: 'CALLBACK_PUBLIC_URL', url: config.callbacks.publicUrl }, config.service, logger)
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const replays = createReplayKnowledge({ clock, entropy, logger })
    const { baseUrl, altBaseUrl, apiKey } = provider
    const payments = createPaymentsClient({
      ...{ baseUrl, altBaseUrl, apiKey },
      clock,
      replaysKeys: replays.known,
      ...{ observe: start.observe, dispatcher: config.custody === 'none' ? noProvider() : undefined },
    })
    closers.push(payments.close, replays.close)
    await replays.learn(payments)
    const reachable: { url: string | undefined } = { url: config.callbacks.publicUrl }
    const tipping = await createTipping({
      network: await askNetwork(payments),
      ...bookOf(start),
      ...{ payments, replaysKeys: replays.known },
      stillReplays: replays.confirm,
      askedForReplays: replays.asked,
      takeUpReplayKeys: replays.takeUp,
      ...{ clock, entropy, comparesClocks: clock === systemClock },
      logger: logger.child({ part: 'tipping' }),
      ...{ ratesUrl: config.ratesUrl, drandUrl: config.drandUrl },
      ...(start.ownWallets && { ownWallets: start.ownWallets }),
      outgoingAllowLoopback: config.service.outgoingAllowLoopback,
      ...placeOf(provider),
      settings: {
        ...{ feeLimitPercent: config.service.feeLimitPercent, custody: config.custody ?? 'balances' },
        faucetAmount: sats(config.faucetSats),
        ...{ operators: config.operators ?? 'two', currency: config.ratesCurrency },
        callbackUrl: (token) => (reachable.url === undefined ? undefined : reachable.url + callbackPath(token)),
        ...start.settings,
      },
    })
    closers.push(() => tipping.close())
    const front: { bot?: Bot } = {}
    const operatorsBoard = start.operatorsBoard ?? new OperatorsBoard(start, config)
    operatorsBoard.watch({ tipping, provider: baseUrl, ...knownOfDiscord(discord, front) })
    const callbacks = await openWebServer(start, { tipping, operatorsBoard, front })
    closers.push(() => callbacks.close())
    start.onWebServer?.(callbacks.address)
    if (provider.local && mayBeAsked(callbacks.address, true)) reachable.url ??= callbacks.address
    const bot = createBot({
      ...{ token: discord.token, linkedRoles: linkedRolesOf(start) },
      api: { rest: discord.apiUrl ?? DISCORD_API, cdn: discord.cdnUrl },
      tipping,
      ...{ clock, logger: logger.child({ part: 'bot' }) },
      ...{ guildId: discord.guildId, homeGuildId: discord.homeGuildId },
      ...{ userInstall: discord.userInstall, ownEmoji: discord.ownEmoji ?? true, eventsUrl: eventsUrlOf(start) },
      connection: { gateway: discord.gateway ?? true, voice: discord.voice ?? false, publicKey: discord.publicKey },
      operatorsChannelId: discord.operatorsChannelId,
      ...{ publicServers: config.publicApi.servers, callsPerSecond: start.discordCallsPerSecond },
      links: linksOf(start, callbacks.address, operatorsBoard),
    })
    closers.push(() => bot.close())
    closers.push(() => callbacks.drain(config.instance?.drainMs ?? 0))
    front.bot = bot
    await bot.ready
    return { tipping, bot, callbackUrl: reachable.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Served {
  readonly tipping: Tipping
  readonly operatorsBoard: OperatorsBoard
  /** Contains the bot as soon as it has been created. */
  readonly front: { readonly bot?: Bot }
}

/**
 * Returns the address at which Discord reports who installs the bot; undefined without a public address or without the
 * key that verifies Discord's signatures.
 */
function eventsUrlOf({ config: { callbacks }, discord: { publicKey } }: BotStart): string | undefined {
  const { publicUrl } = callbacks
  return publicKey === undefined || publicUrl === undefined ? undefined : `${publicUrl}${DISCORD_EVENTS_PATH}`
}

/**
 * Returns the settings of linked roles; undefined without the client secret, a public address, or a key to encrypt
 * tokens.
 */
function linkedRolesOf({ config: { callbacks }, discord: { clientSecret }, ownWallets, entropy }: BotStart) {
  const { publicUrl } = callbacks
  if (clientSecret === undefined || publicUrl === undefined || ownWallets === undefined) return undefined
  return {
    ...{ clientSecret: () => clientSecret.reveal(), entropy },
    pageUrl: publicUrl + LINKED_ROLES_PATH,
    redirectUri: publicUrl + LINKED_ROLES_CALLBACK,
  }
}

function openWebServer(start: BotStart, { tipping, operatorsBoard, front }: Served): Promise<WebServer> {
  const { config, provider, clock, logger } = start
  const { publicKey } = start.discord
  const testMoney = () => tipping.testMoney
  const everybodySees = (channel: string) => front.bot?.everybodySees(channel) ?? false
  const believesClock = () => tipping.administration.believesClock()
  return createWebServer({
    tipping: { hint: start.hint?.(tipping) ?? ((token, said) => tipping.hint(token, said)) },
    whyNotReady: async () =>
      front.bot?.isConnected()
        ? await tipping.administration.whyNotReady()
        : 'Discord is not connected now. The log says why.',
    believesClock,
    ...(publicKey !== undefined && {
      interactions: {
        publicKey,
        hear: async (interaction, delivered) => await front.bot?.hear(interaction, delivered),
      },
      discordEvents: { publicKey, told: (event) => front.bot?.told(event) },
    }),
    ...(tipping.holdsSats && {
      status: { view: () => tipping.administration.status(), testMoney, page: createStatusPage(testMoney) },
    }),
    publicApi: { ...config.publicApi, insights: tipping.insights, testMoney, everybodySees },
    ...(tipping.holdsSats && {
      keyedApi: {
        keys: tipping.apiKeys,
        people: () => front.bot?.people,
        isConnected: () => front.bot?.isConnected() ?? false,
        knows: (guild) => front.bot?.knows(guild) ?? false,
        events: tipping.serverEvents,
        ...{ testMoney, everybodySees },
        overlayTexts: createOverlayTexts(testMoney),
        requestsPerSecond: config.publicApi.requestsPerSecond,
      },
    }),
    metrics: {
      calls: () => front.bot?.calls(),
      believesClock,
      standstill: start.standstill,
      instance: config.instance?.name,
      metricsToken: config.service.metricsToken?.reveal(),
      publicUrl: config.callbacks.publicUrl,
      trustProxy: config.service.trustProxy,
    },
    ...(linkedRolesOf(start) !== undefined &&
      config.callbacks.publicUrl !== undefined && {
        linkedRoles: {
          pages: () => front.bot?.linkedRoles,
          policy: LINKED_ROLES_POLICY,
          publicUrl: config.callbacks.publicUrl,
        },
      }),
    operators: { pages: operatorsBoard, publicUrl: config.callbacks.publicUrl },
    payPages: { pages: createPayPages(() => tipping, discordOf(front)), policy: PAY_PAGE_POLICY },
    connectPages: {
      ...{ pages: createConnectPages(() => tipping, discordOf(front)), policy: CONNECT_PAGE_POLICY },
      publicUrl: config.callbacks.publicUrl,
    },
    trustProxy: config.service.trustProxy,
    port: config.callbacks.port,
    host: config.host,
    signingSecrets: provider.signingSecrets,
    clock,
    logger: logger.child({ part: 'callbacks' }),
  })
}

/**
 * Answers the questions of payment pages and connect pages about Discord. While the bot is not running, nobody counts
 * as a moderator. `moderates` throws HttpProblem while Discord cannot be reached.
 */
export function discordOf(front: { readonly bot?: Bot }) {
  return {
    async moderates(guild: string, member: string) {
      try {
        return (await front.bot?.people.moderator(guild, member)) !== undefined
      } catch {
        throw new HttpProblem(503, 'discord_unreachable', 'Discord cannot be reached right now. Try again in a minute.')
      }
    },
    nameOf: async (member: string) => await front.bot?.people.nameOf(member),
    serverName: (guild: string) => front.bot?.people.serverName(guild),
    communityName: () => front.bot?.communityName(),
  }
}

/**
 * Returns what the operators' pages ask the running bot: who is an operator (an administrator of the operators'
 * server), and the names of servers, roles and members.
 */
function knownOfDiscord({ homeGuildId: home }: BotStart['discord'], front: { readonly bot?: Bot }) {
  return {
    async isOperator(member: string): Promise<boolean> {
      if (front.bot === undefined) throw new Error('the bot is starting')
      return home !== undefined && (await front.bot.people.administrates(home, member))
    },
    serverName: (guild: string) => front.bot?.people.serverName(guild),
    roleName: (guild: string, role: string) => front.bot?.people.roleName(guild, role),
    memberName: async (member: string) => await front.bot?.people.nameOf(member),
  }
}

/**
 * Returns the addresses to which the bot's messages link. Those that only this machine can reach are undefined, because
 * Discord refuses buttons with them.
 */
function linksOf({ config, pagesUrl }: BotStart, webServer: string, board: OperatorsBoard): Links {
  const onTheWeb = [config.callbacks.publicUrl, pagesUrl].find((url) => url !== undefined && mayBeAsked(url, false))
  const url = pagesUrl === 'web-server' ? webServer : onTheWeb
  const { publicUrl } = config.callbacks
  const statusAt = publicUrl !== undefined && mayBeAsked(publicUrl, false) ? publicUrl : undefined
  const own = pagesUrl === 'web-server' ? webServer : statusAt
  return {
    pay: (card) => (url === undefined ? undefined : url + payPath(card)),
    status: own === undefined || config.custody === 'none' ? undefined : `${own}/status`,
    overlay: (key) => (own === undefined ? undefined : `${own}/overlay#key=${key}`),
    connectWallet: (token, about) => (url === undefined ? undefined : url + connectWalletPath(token, about)),
    docs: config.pages?.docs,
    support: config.pages?.support,
    reaches: (address) => pagesUrl === 'web-server' || !isOfThisMachine(address),
    operators: async (operator) => ({
      url: (url ?? webServer) + signInPath(await board.invite(operator)),
      onTheWeb: url !== undefined,
    }),
  }
}
