import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { isFile } from '../lib/database/url-kinds.ts'
import { mayBeAsked } from '../lib/http/outgoing-url.ts'
import { readEnvFile } from './env-file.ts'
import { type LightningConfig, readLightning } from './lightning.ts'
import { ConfigProblem, Reader } from './reader.ts'
import { Secret } from './secret.ts'
import { variableLike } from './variables.ts'

export { readEnvFile, readEnvText } from './env-file.ts'
export { invisibleIn } from './invisible.ts'
export { isSandbox, type LightningConfig, type NodeConfig } from './lightning.ts'
export { ConfigProblem } from './reader.ts'
export { Secret } from './secret.ts'
export { type ShownSetting, shownSettings } from './shown-settings.ts'
export { VARIABLES } from './variables.ts'

/** All settings. `.env.example` explains each variable. */
export interface Config {
  /** Undefined without a Discord token: the playground then runs instead of the bot. */
  readonly discord: DiscordConfig | undefined
  /** Another provider of the payments interface; undefined for the bundled service. */
  readonly provider: ProviderConfig | undefined
  /** `none` if the bot holds no sats. Then there are no balances, and `provider` is only a placeholder. */
  readonly custody: 'balances' | 'none'
  readonly callbacks: CallbackConfig
  /** The operators' own pages, to which `/help` links. */
  readonly pages: { readonly docs: string | undefined; readonly support: string | undefined }
  readonly publicApi: PublicApiConfig
  readonly service: ServiceConfig
  readonly tippingDatabaseUrl: string
  /** The folder for everything else that must survive a restart. */
  readonly dataFolder: string
  /** The file with the key that encrypts the secrets of members' wallets. The first start creates it. */
  readonly walletKeyFile: string
  readonly playgroundPort: number
  readonly sandbox: SandboxConfig
  /** The address on which all web servers listen: loopback, unless a container or a proxy needs another one. */
  readonly host: string
  /** The code that opens set-up in a browser; undefined if the process should create one. */
  readonly setUpCode: string | undefined
  /** The passwords that open the console in a browser, besides `/admin page`; undefined for those that are not set. */
  readonly console: ConsoleConfig
  /** Whether two operators decide about money together, or one operator decides alone after a day's delay. */
  readonly operators: 'one' | 'two'
  /** What the faucet pays a member a day, in whole sats; 0 turns the faucet off. It never pays real sats. */
  readonly faucetSats: number
  readonly instance: InstanceConfig
  readonly ratesUrl: string | undefined
  /** The address of a server with drand's HTTP interface; undefined if draws use no public beacon. */
  readonly drandUrl: string | undefined
  /** The currency's code in ISO 4217. */
  readonly ratesCurrency: string
  readonly logLevel: LogLevel
}

export interface DiscordConfig {
  readonly token: Secret
  /** The address of Discord's API, without the version; undefined for Discord itself. */
  readonly apiUrl: string | undefined
  /** Whether people may install the bot for themselves; undefined to leave this as the developer portal has it. */
  readonly userInstall: boolean | undefined
  /** The only server with commands; undefined to register them everywhere, including private conversations. */
  readonly guildId: string | undefined
  /** The operators' server, the only one that offers `/admin`. */
  readonly homeGuildId: string | undefined
  readonly operatorsChannelId: string | undefined
  /** The key that verifies interactions sent to the web server; undefined if they arrive through the gateway. */
  readonly publicKey: string | undefined
  /** Whether this process connects to the gateway and, if so, whether it hears who is in which voice channel. */
  readonly gateway: boolean
  readonly voice: boolean
  /** The application's OAuth2 secret, which linked roles need; undefined if there are no linked roles. */
  readonly clientSecret: Secret | undefined
}

export interface ProviderConfig {
  readonly baseUrl: string
  readonly altBaseUrl: string
  readonly apiKey: Secret
}

export interface CallbackConfig {
  readonly port: number
  /** Where the provider reaches the bot's web server; undefined if it cannot, so that only polling finds payments. */
  readonly publicUrl: string | undefined
  /** The secrets with which the provider signs callbacks; empty if it does not sign them. */
  readonly signingSecrets: readonly Secret[]
}

/** The API with public figures on the web server's port. */
export interface PublicApiConfig {
  /** The ids of the Discord servers whose figures are public; empty if the API is off. */
  readonly servers: readonly string[]
  /** The limit for one IP address; 0 if there is no limit. */
  readonly requestsPerSecond: number
}

export interface ConsoleConfig {
  readonly password: Secret | undefined
  /** The password of viewers, who cannot change anything. */
  readonly readPassword: Secret | undefined
}

/** The settings of this process, for when several processes work on the same books. */
export interface InstanceConfig {
  readonly name: string
  /** For how many milliseconds `/ready` refuses before a stop, so that a load balancer chooses another process. */
  readonly drainMs: number
}

/** The settings of a sandbox that runs in a process of its own. */
export interface SandboxConfig {
  readonly port: number
  /** The address at which services reach the sandbox; undefined if this is only the address on which it listens. */
  readonly url: string | undefined
}

export interface ServiceConfig {
  readonly port: number
  readonly publicUrl: string | undefined
  readonly databaseUrl: string
  readonly lightning: LightningConfig
  readonly callbacksAllowLoopback: boolean
  readonly outgoingAllowLoopback: boolean
  readonly gamertagReservedDays: number
  /** The community's own names, which nobody can take as a gamertag or a Lightning Address. */
  readonly reservedNames: readonly string[]
  /** How many Lightning Addresses one project can have; 0 if there is no limit. */
  readonly identifiersPerProject: number
  /** How many users one project can create; 0 if there is no limit. */
  readonly usersPerProject: number
  readonly feeLimitPercent: number
  /** Operators are alerted if the node can send less than this percentage of the wallets' balances; 0 for never. */
  readonly liquidityAlertPercent: number
  /** The largest amount of one operation, in whole sats. */
  readonly maxAmountSats: number
  /** How many requests a second one API key, or one IP address without a key, can make; 0 if there is no limit. */
  readonly requestsPerSecond: number
  readonly publicRequestsPerSecond: number
  /** How many invoices a minute the wallets at one IP address can request with LNURL; 0 if there is no limit. */
  readonly invoicesPerMinute: number
  /** The proxies whose X-Forwarded-For is trusted: none (false), the nearest (true), or those at these addresses. */
  readonly trustProxy: boolean | string
  /** The token that permits reading `/metrics` of both the service and the bot. */
  readonly metricsToken: Secret | undefined
  /** Groups of project ids. Projects in the same group can transfer sats to each other. */
  readonly transferGroups: readonly (readonly string[])[]
  /** The IP addresses and networks from which callbacks come. */
  readonly callbackSourceIps: readonly string[]
  /** The ISO 3166-1 codes of the countries where the service is not offered. */
  readonly unsupportedCountries: readonly string[]
  /** Whether callers from those countries are refused. */
  readonly regionsEnforced: boolean
  /** The path of an `.mmdb` file; undefined for the bundled one. */
  readonly regionDatabase: string | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Returns the path of the settings file: `SETTINGS_FILE`, or else `.env` in the working directory. */
export function settingsFile(): string {
  return process.env.SETTINGS_FILE || '.env'
}

/** Returns the two sources of settings: the settings file's path, and the environment, which overrides the file. */
export function settingsSources() {
  return { file: settingsFile(), environment: process.env }
}

/**
 * Reads the settings file, and the environment, which overrides the file. Ignores the variables in `apartFrom`. A value
 * in `instead` replaces a variable's value; undefined unsets it. Warns of mistyped names. Throws ConfigProblem.
 */
export function readConfig(
  apartFrom: readonly string[] = [],
  instead: Readonly<Record<string, string | undefined>> = {},
): Config {
  const environment = { ...readEnvFile(settingsFile()), ...process.env }
  for (const warning of warningsOf(Object.keys(environment))) console.error(warning)
  const counts = Object.entries(environment).filter(([name]) => !apartFrom.includes(name))
  return parseConfig({ ...Object.fromEntries(counts), ...instead })
}

/** Returns a sentence for each name that may be a mistyped variable. */
export function warningsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const meant = variableLike(name)
    return meant === undefined ? [] : [`Satchel knows no variable ${name}, and goes on without it. Is ${meant} meant?`]
  })
}

/** Turns variables into a configuration. Throws ConfigProblem with all problems. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const read = new Reader(environment)
  const dataFolder = read.path('DATA_FOLDER') ?? './data'
  const config: Config = {
    discord: readDiscord(read),
    ...readCustody(read),
    callbacks: {
      port: read.port('CALLBACK_PORT', 8788),
      publicUrl: read.url('CALLBACK_PUBLIC_URL', 'https://tips.example.org'),
      signingSecrets: read.secrets('CALLBACK_SIGNING_SECRET'),
    },
    pages: {
      docs: read.url('DOCS_URL', 'https://example.org/bot'),
      support: read.url('SUPPORT_URL', 'https://discord.gg/example'),
    },
    publicApi: {
      servers: read.snowflakes('PUBLIC_API_SERVERS'),
      requestsPerSecond: read.whole('PUBLIC_API_REQUESTS_PER_SECOND', 2, { from: 0, to: 1_000_000, example: '2' }),
    },
    service: {
      port: read.port('SERVICE_PORT', 8787),
      publicUrl: read.url('SERVICE_PUBLIC_URL', 'https://pay.example.org'),
      databaseUrl: read.database('PAYMENTS_DATABASE_URL', `file:${dataFolder}/payments.sqlite`),
      lightning: readLightning(read),
      callbacksAllowLoopback: read.flag('CALLBACKS_ALLOW_LOOPBACK', false),
      outgoingAllowLoopback: read.flag('OUTGOING_ALLOW_LOOPBACK', false),
      gamertagReservedDays: read.whole('GAMERTAG_RESERVED_DAYS', 30, { from: 0, to: 3650, example: '30' }),
      reservedNames: read.words('RESERVED_NAMES', { most: 64, example: 'Lightning Lounge, lounge' }),
      identifiersPerProject: read.whole('IDENTIFIERS_PER_PROJECT', 10_000, {
        from: 0,
        to: 10_000_000,
        example: '10000',
      }),
      usersPerProject: read.whole('USERS_PER_PROJECT', 100_000, { from: 0, to: 100_000_000, example: '100000' }),
      feeLimitPercent: read.decimal('FEE_LIMIT_PERCENT', 1, { from: 0, to: 100, example: '1' }),
      liquidityAlertPercent: read.decimal('LIQUIDITY_ALERT_PERCENT', 100, { from: 0, to: 1_000, example: '100' }),
      maxAmountSats: read.whole('MAX_AMOUNT_SATS', 10_000_000, { from: 1, to: 1_000_000_000_000, example: '10000000' }),
      requestsPerSecond: read.whole('REQUESTS_PER_SECOND', 0, { from: 0, to: 1_000_000, example: '100' }),
      publicRequestsPerSecond: read.whole('PUBLIC_REQUESTS_PER_SECOND', 20, { from: 0, to: 1_000_000, example: '20' }),
      invoicesPerMinute: read.whole('INVOICES_PER_MINUTE', 30, { from: 0, to: 1_000_000, example: '30' }),
      trustProxy: read.proxies('TRUST_PROXY'),
      metricsToken: readMetricsToken(read),
      ...readForProjects(read),
      unsupportedCountries: read.countries('UNSUPPORTED_COUNTRIES'),
      regionsEnforced: read.flag('REGIONS_ENFORCED', false),
      regionDatabase: read.text('REGION_DATABASE'),
    },
    tippingDatabaseUrl: read.database('TIPPING_DATABASE_URL', `file:${dataFolder}/tipping.sqlite`),
    dataFolder,
    walletKeyFile: read.path('WALLET_KEY_FILE') ?? `${dataFolder}/wallet-key`,
    playgroundPort: read.port('PLAYGROUND_PORT', 8080),
    sandbox: { port: read.port('SANDBOX_PORT', 8789), url: read.url('SANDBOX_URL', 'http://127.0.0.1:8789') },
    host: read.text('LISTEN_HOST') ?? '127.0.0.1',
    setUpCode: read.text('SETUP_CODE'),
    console: readConsole(read),
    instance: {
      name: read.text('INSTANCE_NAME') ?? hostname(),
      drainMs: read.whole('DRAIN_SECONDS', 0, { from: 0, to: 300, example: '5' }) * 1_000,
    },
    operators: read.choice('OPERATORS', ['two', 'one'] as const, 'two'),
    faucetSats: read.whole('FAUCET_SATS', 1_000, { from: 0, to: 1_000_000, example: '1000' }),
    ratesUrl: read.url('RATES_URL', 'https://rates.example.org/btc.json'),
    drandUrl: read.url('DRAND_URL', 'https://api.drand.sh'),
    ratesCurrency: readCurrency(read),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  checkTogether(config, read)
  if (read.problems.length > 0) throw new ConfigProblem(read.problems)
  return config
}

function readForProjects(read: Reader) {
  const transferGroups = read.groups('INTERNAL_TRANSFERS', '3f0c…,9a41…;77be…,c2d0…')
  return { transferGroups, callbackSourceIps: read.networks('CALLBACK_SOURCE_IPS') }
}

function readDiscord(read: Reader): DiscordConfig | undefined {
  const token = read.secret('DISCORD_TOKEN')
  const apiUrl = read.url('DISCORD_API_URL', 'https://discord.com/api')
  const guildId = read.snowflake('DISCORD_GUILD_ID')
  const userInstall =
    read.text('DISCORD_USER_INSTALL') === undefined ? undefined : read.flag('DISCORD_USER_INSTALL', false)
  const homeGuildId = read.snowflake('HOME_GUILD_ID')
  const operatorsChannelId = read.snowflake('OPERATORS_CHANNEL_ID')
  const connection = readConnection(read)
  const clientSecret = read.secret('DISCORD_CLIENT_SECRET')
  if (!token) {
    if (apiUrl)
      read.wrong(
        'DISCORD_TOKEN',
        'is missing, although DISCORD_API_URL is set',
        'the token from the Bot page of your application',
      )
    return undefined
  }
  if (/\s/.test(token.reveal()) || token.reveal().startsWith('Bot ')) {
    read.wrong('DISCORD_TOKEN', 'must be only the token, without spaces and without "Bot"', 'MTA….Gx….abc')
  }
  if (apiUrl && /\/v\d+$/.test(apiUrl))
    read.wrong('DISCORD_API_URL', 'must be written without the version', apiUrl.replace(/\/v\d+$/, ''))
  return { token, apiUrl, guildId, userInstall, homeGuildId, operatorsChannelId, ...connection, clientSecret }
}

function readConnection(read: Reader): Pick<DiscordConfig, 'publicKey' | 'gateway' | 'voice'> {
  const publicKey = read.text('DISCORD_PUBLIC_KEY')
  const [gateway, voice] = [read.flag('DISCORD_GATEWAY', true), read.flag('DISCORD_VOICE', false)]
  const example = 'the Public Key on the page General Information of your application'
  if (publicKey !== undefined && !/^[0-9a-f]{64}$/i.test(publicKey)) {
    read.wrong('DISCORD_PUBLIC_KEY', 'must be 64 hexadecimal digits', example)
  }
  if (!gateway && publicKey === undefined) {
    read.wrong(
      'DISCORD_PUBLIC_KEY',
      'is missing, although DISCORD_GATEWAY is off: the bot would hear of nothing',
      example,
    )
  }
  return { publicKey, gateway, voice }
}

function readMetricsToken(read: Reader): Secret | undefined {
  const token = read.secret('METRICS_TOKEN')
  if (token === undefined || /^[\x21-\x7e]{16,}$/.test(token.reveal())) return token
  const what = 'must be at least 16 characters without spaces, and hard to guess'
  read.wrong('METRICS_TOKEN', what, 'the output of "openssl rand -hex 24"')
  return undefined
}

function readConsole(read: Reader): ConsoleConfig {
  const password = read.secret('CONSOLE_PASSWORD')
  const readPassword = read.secret('CONSOLE_READ_PASSWORD')
  for (const [name, secret] of Object.entries({ CONSOLE_PASSWORD: password, CONSOLE_READ_PASSWORD: readPassword })) {
    if (secret === undefined || secret.reveal().length >= 12) continue
    read.wrong(name, 'must be at least 12 characters, and hard to guess', 'the output of "openssl rand -hex 12"')
  }
  if (password !== undefined && password.reveal() === readPassword?.reveal()) {
    const what = 'must not be the same as CONSOLE_PASSWORD: who may look only could do everything'
    read.wrong('CONSOLE_READ_PASSWORD', what, 'another password')
  }
  return { password, readPassword }
}

function readCurrency(read: Reader): string {
  const code = (read.text('RATES_CURRENCY') ?? 'USD').toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(code)) {
    read.wrong('RATES_CURRENCY', 'must be the three letters of a currency (ISO 4217)', 'EUR')
  }
  return code
}

/** Reads who holds the sats. Without custody no provider or node is used, so it is a mistake to configure one. */
function readCustody(read: Reader): Pick<Config, 'custody' | 'provider'> {
  const custody = read.choice('CUSTODY', ['balances', 'none'] as const, 'balances')
  if (custody === 'balances') return { custody, provider: readProvider(read) }
  for (const name of ['PAYMENTS_BASE_URL', 'LIGHTNING_BACKEND']) {
    if (read.text(name) === undefined) continue
    read.wrong(name, 'is set, and CUSTODY=none holds no sats that it could move', `nothing: leave ${name} out`)
  }
  return { custody, provider: NO_PROVIDER }
}

/** The placeholder of a bot without custody, for a provider that is never called. */
const NO_PROVIDER: ProviderConfig = {
  ...{ baseUrl: 'http://no-provider.invalid', altBaseUrl: 'http://no-provider.invalid' },
  apiKey: new Secret('there is no provider'),
}

function readProvider(read: Reader): ProviderConfig | undefined {
  const baseUrl = read.url('PAYMENTS_BASE_URL', 'https://api.example.org')
  const altBaseUrl = read.url('PAYMENTS_ALT_BASE_URL', 'https://api2.example.org') ?? baseUrl
  const apiKey = read.secret('PAYMENTS_API_KEY')
  if (baseUrl && altBaseUrl && apiKey) return { baseUrl, altBaseUrl, apiKey }
  if (read.text('PAYMENTS_BASE_URL') && !apiKey) {
    read.wrong(
      'PAYMENTS_API_KEY',
      'is missing, although PAYMENTS_BASE_URL names a provider',
      'the API key of your project there',
    )
  }
  if (apiKey && !read.text('PAYMENTS_BASE_URL')) {
    read.wrong('PAYMENTS_BASE_URL', 'is missing, although PAYMENTS_API_KEY is set', 'https://api.example.org')
  }
  return undefined
}

function checkTogether(config: Config, read: Reader): void {
  const { callbacks, service } = config
  if (callbacks.port !== 0 && callbacks.port === service.port && !config.provider) {
    read.wrong('CALLBACK_PORT', `must differ from SERVICE_PORT (${service.port})`, String(service.port + 1))
  }
  if (callbacks.publicUrl && !config.provider && !mayBeAsked(callbacks.publicUrl, true)) {
    const what = 'is an address that the bundled payments service never speaks to: only https, or this very machine'
    read.wrong('CALLBACK_PUBLIC_URL', what, 'https://tips.example.org')
  }
  const books = [config.tippingDatabaseUrl, service.databaseUrl].map((url) =>
    isFile(url) ? resolve(url.slice(5)) : url,
  )
  if (books[0] === books[1] && isFile(service.databaseUrl)) {
    const what = 'names the same file as TIPPING_DATABASE_URL, and each side has a book of its own'
    read.wrong('PAYMENTS_DATABASE_URL', what, 'file:./data/payments.sqlite')
  }
  if (config.discord?.operatorsChannelId && !config.discord.homeGuildId) {
    read.wrong('HOME_GUILD_ID', 'is missing, although OPERATORS_CHANNEL_ID is set', '123456789012345678')
  }
}
