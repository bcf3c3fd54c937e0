import type { Config } from '../config/config.ts'
import { ConfigProblem } from '../config/config.ts'
import { watchServiceBook } from './audit/watch-service-book.ts'
import { ownProject } from './own-project.ts'
import type { Runtime } from './runtime.ts'
import { type Provider, type RunningBot, startBot } from './start-bot.ts'
import { startService } from './start-service.ts'

export interface RunningAll {
  readonly bot: RunningBot
  /** Where the service in the box listens; undefined when another provider is used. */
  readonly serviceUrl: string | undefined
  close(): Promise<void>
}

/**
 * Starts the bot on Discord, and the payments service in the same process unless the configuration names another
 * provider. Throws ConfigProblem without a token, and what the parts throw.
 */
export async function startAll(config: Config, runtime: Runtime): Promise<RunningAll> {
  const discord = mustHaveDiscord(config)
  const service = config.provider ? undefined : await startService({ config, withBot: true, ...runtime })
  try {
    const provider = config.provider ? otherProvider(config) : await ownProvider(config, service)
    const bot = await startBot({ config, discord, provider, database: config.tippingDatabaseUrl, ...runtime })
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

/** Line by line and page by page it is a long look, so it is not taken as often as the bot's own. */
const SERVICE_BOOK_EVERY_MS = 6 * 3_600_000

function bookOf({ service }: Config) {
  return { database: service.databaseUrl, everyMs: SERVICE_BOOK_EVERY_MS }
}

/** Starts the bot alone, for the provider that the configuration names. Throws ConfigProblem when it names none. */
export async function startBotAlone(config: Config, runtime: Runtime): Promise<RunningBot> {
  const discord = mustHaveDiscord(config)
  const provider = otherProvider(config)
  return await startBot({ config, discord, provider, database: config.tippingDatabaseUrl, ...runtime })
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
      'PAYMENTS_BASE_URL and PAYMENTS_API_KEY are missing: the bot alone needs a provider. Example: PAYMENTS_BASE_URL=http://127.0.0.1:8787',
    ])
  }
  const { baseUrl, altBaseUrl, apiKey } = config.provider
  return {
    baseUrl,
    altBaseUrl,
    apiKey: apiKey.reveal(),
    signingSecrets: config.callbacks.signingSecrets.map((secret) => secret.reveal()),
    local: ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(baseUrl).hostname),
  }
}

async function ownProvider(
  config: Config,
  service: Awaited<ReturnType<typeof startService>> | undefined,
): Promise<Provider> {
  if (!service) throw new Error('the service in the box is not running')
  const { apiKey, callbackSecret } = await ownProject(service, config.dataFolder)
  return { baseUrl: service.url, altBaseUrl: service.url, apiKey, signingSecrets: [callbackSecret], local: true }
}
