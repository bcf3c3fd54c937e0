import { join } from 'node:path'
import { operateService } from '../../assembly/operate-service.ts'
import { OperatorsBoard, sideOf } from '../../assembly/operators-board.ts'
import { ownProject, storedProject } from '../../assembly/own-project.ts'
import { type RunningBot, startBot } from '../../assembly/start-bot.ts'
import { openWalletKeys, WALLET_KEY_FILE } from '../../assembly/wallet-keys.ts'
import { Secret } from '../../config/config.ts'
import type { Emulator } from '../../discord-emulator/emulator.ts'
import type { Databases } from './databases.ts'
import type { Ports } from './ports.ts'
import type { ServicePart } from './service-part.ts'
import type { WireLog } from './wire-log.ts'
import type { WorldOptions } from './world-options.ts'

interface BotRuntime {
  readonly ports: Ports
  readonly databases: Databases
  readonly emulator: Emulator
  readonly wire: WireLog
  readonly losing: { callbacks: number }
  readonly service: ServicePart
  /** The operators' server, and their channel for alerts. */
  readonly home: { readonly guildId: string; readonly channelId: string }
}

/** Placeholders for the secrets of a provider, because there is no provider without custody. */
const NOBODY = { apiKey: 'none', callbackSecret: 'whsec_bm9uZQ==' }

/** The bot of a world, with its tipping and web server. */
export class BotPart {
  readonly #options: WorldOptions
  readonly #around: BotRuntime
  #bot: RunningBot | undefined
  #provider: { apiKey: string; callbackSecret: string } | undefined

  constructor(options: WorldOptions, around: BotRuntime) {
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

  get communityName(): string | undefined {
    return this.#bot?.bot.communityName()
  }

  get callbackUrl(): string {
    if (this.#bot?.callbackUrl === undefined) throw new Error('the bot is not running')
    return this.#bot.callbackUrl
  }

  async settled(): Promise<void> {
    await this.#bot?.bot.settled()
    await this.#bot?.tipping.settled()
    await this.#bot?.bot.settled()
  }

  async start(): Promise<void> {
    if (this.#bot) return
    const { emulator, service, ports, databases, wire, losing, home } = this.#around
    const { custody = 'balances' } = this.#options
    this.#provider ??= custody === 'none' ? NOBODY : await ownProject(service.current, this.#options.folder)
    const { interactionsByHttp: byHttp = false, linkedRoles = false } = this.#options
    const publicUrl = linkedRoles ? `http://127.0.0.1:${ports.callbacks}` : undefined
    const baseUrl = this.#options.providerUrl?.(service.url) ?? service.url
    this.#bot = await startBot({
      ...this.#options,
      discordCallsPerSecond: this.#options.discordRequestsPerSecond,
      config: {
        callbacks: { port: ports.callbacks, publicUrl, signingSecrets: [] },
        host: '127.0.0.1',
        faucetSats: 1_000,
        custody,
        ratesUrl: this.#options.ratesUrl,
        ratesCurrency: 'USD',
        publicApi: { servers: this.#options.publicApi ? [home.guildId] : [], requestsPerSecond: 2 },
        service: { feeLimitPercent: 1, outgoingAllowLoopback: true, trustProxy: false },
      },
      discord: {
        token: emulator.token,
        apiUrl: emulator.restUrl,
        cdnUrl: emulator.cdnUrl,
        guildId: undefined,
        homeGuildId: home.guildId,
        ownEmoji: this.#options.ownEmoji ?? false,
        voice: this.#options.voice ?? false,
        operatorsChannelId: home.channelId,
        ...(linkedRoles && { clientSecret: new Secret(emulator.oauth.clientSecret) }),
        ...(byHttp && { publicKey: emulator.publicKey, gateway: false }),
      },
      provider: {
        baseUrl,
        altBaseUrl: baseUrl,
        apiKey: this.#provider.apiKey,
        signingSecrets: baseUrl === service.url ? [this.#provider.callbackSecret] : [],
        local: true,
      },
      database: databases.tipping,
      settings: { payTestSats: this.#payTestSats() },
      ownWallets: { keys: openWalletKeys(join(this.#options.folder, WALLET_KEY_FILE), this.#options.entropy) },
      pagesUrl: 'web-server',
      operatorsBoard: new OperatorsBoard(this.#options, { atService: () => this.#atService() }, () =>
        custody === 'none' ? undefined : sideOf(service.current),
      ),
      observe: (event) => wire.exchanged(event),
      hint: (tipping) => (token, said) => {
        const lost = losing.callbacks > 0
        wire.calledBack(said, lost)
        if (!lost) return tipping.hint(token, said)
        losing.callbacks -= 1
        throw new Error('the playground dropped this callback on purpose')
      },
    })
    if (byHttp) await emulator.setInteractionsEndpoint(`${this.callbackUrl}/interactions`)
  }

  /** Returns what the console needs in order to operate the service; undefined while the service is not running. */
  #atService() {
    const { service } = this.#around
    return service.running
      ? operateService({
          administration: service.administration(),
          ownProject: storedProject(this.#options.folder)?.projectId,
          publicUrl: service.url,
        })
      : undefined
  }

  /**
   * Returns the function that pays test sats; undefined with a real node. The function looks the service up only when
   * it pays, because the service may have been restarted since the bot started.
   */
  #payTestSats() {
    const { service } = this.#around
    return this.#options.realNode === undefined
      ? async (request: string) => service.current.payTestSats?.(request)
      : undefined
  }

  /** Returns the environment of a separate bot that replaces this one. */
  environment(): Record<string, string> {
    const { emulator, service, ports, home } = this.#around
    if (!this.#provider) throw new Error('the bot has never been started')
    return {
      DISCORD_TOKEN: emulator.token,
      DISCORD_API_URL: emulator.restUrl,
      PAYMENTS_BASE_URL: service.url,
      PAYMENTS_API_KEY: this.#provider.apiKey,
      CALLBACK_PORT: String(ports.callbacks),
      CALLBACK_SIGNING_SECRET: this.#provider.callbackSecret,
      DATA_FOLDER: this.#options.folder,
      OUTGOING_ALLOW_LOOPBACK: 'true',
      HOME_GUILD_ID: home.guildId,
      OPERATORS_CHANNEL_ID: home.channelId,
      ...(this.#options.interactionsByHttp && { DISCORD_PUBLIC_KEY: emulator.publicKey, DISCORD_GATEWAY: 'off' }),
    }
  }

  async kill(): Promise<void> {
    const bot = this.#bot
    this.#bot = undefined
    await bot?.close()
  }
}
