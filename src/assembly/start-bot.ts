import { type Bot, createBot } from '../bot/bot.ts'
import { callbackPath, createCallbackServer } from '../callback-server/callback-server.ts'
import type { Config, DiscordConfig } from '../config/config.ts'
import { mayBeAsked } from '../lib/http/outgoing-url.ts'
import { createPaymentsClient, type PaymentsClientOptions } from '../payments-api/payments-api.ts'
import { createTipping } from '../tipping/create-tipping.ts'
import type { TippingDatabase } from '../tipping/database.ts'
import type { TippingSettings } from '../tipping/settings.ts'
import type { Tipping } from '../tipping/tipping.ts'
import { createReplayKnowledge } from './replay-knowledge.ts'
import type { Runtime } from './runtime.ts'

/** The provider of the payments interface that the bot uses, in the box or elsewhere. */
export interface Provider {
  readonly baseUrl: string
  readonly altBaseUrl: string
  readonly apiKey: string
  /** Secrets that its callbacks are signed with; empty when it does not sign. */
  readonly signingSecrets: readonly string[]
  /** Whether it runs on this machine, so that it reaches the callback server on loopback (at no other private address). */
  readonly local: boolean
}

export interface BotStart extends Runtime {
  readonly config: Pick<Config, 'callbacks' | 'publicApi' | 'host' | 'ratesUrl' | 'ratesCurrency'> & {
    readonly service: Pick<Config['service'], 'feeLimitPercent' | 'outgoingAllowLoopback' | 'trustProxy'>
  }
  readonly discord: Omit<DiscordConfig, 'token'> & { readonly token: string; readonly cdnUrl?: string }
  readonly provider: Provider
  readonly database: TippingDatabase | string
  readonly settings?: Partial<TippingSettings>
  /** Sees every call and answer, secrets hidden. */
  readonly observe?: PaymentsClientOptions['observe']
  /** Stands between the callback server and tipping; for a world in which callbacks get lost. */
  readonly hint?: (tipping: Tipping) => Tipping['hint']
}

/** The bot with all that belongs to it: tipping, its payments client, the callback server. */
export interface RunningBot {
  readonly tipping: Tipping
  readonly bot: Bot
  readonly callbackUrl: string | undefined
  close(): Promise<void>
}

const DISCORD_API = 'https://discord.com/api'

/**
 * Starts the bot: opens the members' book, listens for callbacks, connects to Discord, registers the commands. Throws
 * DatabaseProblem, HttpPortTaken, or what Discord said to the token.
 */
export async function startBot(start: BotStart): Promise<RunningBot> {
  const { config, discord, provider, clock, entropy, logger } = start
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const replays = createReplayKnowledge({ clock, entropy, logger })
    const payments = createPaymentsClient({
      baseUrl: provider.baseUrl,
      altBaseUrl: provider.altBaseUrl,
      apiKey: provider.apiKey,
      clock,
      replaysKeys: replays.known,
      observe: start.observe,
    })
    closers.push(payments.close, replays.close)
    await replays.learn(payments)
    const reachable: { url: string | undefined } = { url: config.callbacks.publicUrl }
    const tipping = await createTipping({
      database: start.database,
      payments,
      replaysKeys: replays.known,
      stillReplays: replays.confirm,
      askedForReplays: replays.asked,
      clock,
      entropy,
      logger: logger.child({ part: 'tipping' }),
      ratesUrl: config.ratesUrl,
      outgoingAllowLoopback: config.service.outgoingAllowLoopback,
      settings: {
        feeLimitPercent: config.service.feeLimitPercent,
        currency: config.ratesCurrency,
        callbackUrl: (token) => (reachable.url === undefined ? undefined : reachable.url + callbackPath(token)),
        ...start.settings,
      },
    })
    closers.push(() => tipping.close())
    const callbacks = await createCallbackServer({
      tipping: { hint: start.hint?.(tipping) ?? ((token, said) => tipping.hint(token, said)) },
      status: { view: () => tipping.administration.status(), testMoney: () => tipping.testMoney },
      publicApi: { ...config.publicApi, insights: tipping.insights, testMoney: () => tipping.testMoney },
      trustProxy: config.service.trustProxy,
      port: config.callbacks.port,
      host: config.host,
      signingSecrets: provider.signingSecrets,
      clock,
      logger: logger.child({ part: 'callbacks' }),
    })
    closers.push(() => callbacks.close())
    if (provider.local && mayBeAsked(callbacks.address, true)) reachable.url ??= callbacks.address
    const bot = createBot({
      token: discord.token,
      api: { rest: discord.apiUrl ?? DISCORD_API, cdn: discord.cdnUrl },
      tipping,
      clock,
      logger: logger.child({ part: 'bot' }),
      guildId: discord.guildId,
      homeGuildId: discord.homeGuildId,
      operatorsChannelId: discord.operatorsChannelId,
    })
    closers.push(() => bot.close())
    await bot.ready
    return { tipping, bot, callbackUrl: reachable.url, close }
  } catch (error) {
    await close()
    throw error
  }
}
