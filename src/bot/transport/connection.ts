import { DiscordAPIError, REST } from '@discordjs/rest'
import { type APIApplication, Client, Events, GatewayIntentBits, Options, Routes } from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import type { HttpInteractions } from './http-interactions.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { makeRequest } from './make-request.ts'
import { callsAt, NO_TIMEOUT_MS, Permits, type PermitsOptions } from './permits.ts'

/** Discord's addresses. `rest`: its REST interface without the version, such as `https://discord.com/api`. */
export interface DiscordAddress {
  readonly rest: string
  readonly cdn?: string
}

/** How a bot learns what people do. */
export interface Connection {
  readonly gateway: boolean
  /** Whether the gateway reports who is in which voice channel. */
  readonly voice?: boolean
  /** The application's public key if Discord sends interactions by HTTP; otherwise undefined. */
  readonly publicKey: string | undefined
}

const WRONG_TOKEN =
  "Discord does not accept the bot's token in DISCORD_TOKEN. In the developer portal, on the page Bot, press Reset Token, and copy the new token."
const API_VERSION = '10'
const CONNECTIONS = 64

/**
 * Creates the two ways of calling Discord: with the bot's own token (`cardCalls`: less urgent than an answer), and with
 * an interaction's token.
 */
export function openRest(api: DiscordAddress, token: string, permitsOptions: PermitsOptions) {
  const permits = new Permits(permitsOptions)
  const rest = new REST(restOptions(api, permits)).setToken(token)
  return { permits, rest, cardCalls: callsAt(rest, 'card'), webhooks: new REST(restOptions(api, permits)) }
}

/**
 * Reads Discord's data on the application, and compares it with the settings. Throws Problem if Discord does not accept
 * the token, cannot be reached, or signs with another key.
 */
export async function introduce(
  client: Client,
  { rest, token, address }: { readonly rest: REST; readonly token: string; readonly address: string },
  connection: Connection,
  logger: Logger,
): Promise<APIApplication> {
  client.rest.setToken(token)
  const asked = rest.get(Routes.currentApplication()) as Promise<APIApplication>
  const application = await asked.catch((cause: unknown) => Promise.reject(cannotConnect(cause, address)))
  const { publicKey } = connection
  if (publicKey !== undefined && application.verify_key !== publicKey.toLowerCase()) {
    throw new Problem(
      "DISCORD_PUBLIC_KEY is not the key of the bot's application. Copy it from the developer portal (General Information → Public Key).",
    )
  }
  warnOfEndpoint(application, connection, logger)
  return application
}

/**
 * Warns if Discord sends interactions to another place, or to none. Discord sends them to one place only, which its own
 * settings decide.
 */
function warnOfEndpoint(
  { interactions_endpoint_url: url }: APIApplication,
  connection: Connection,
  logger: Logger,
): void {
  if (connection.publicKey === undefined && url) {
    logger.warn(
      { url },
      "Discord sends commands to the application's Interactions Endpoint URL, and not to this bot. Set DISCORD_PUBLIC_KEY where that address leads here, or empty the field in the developer portal.",
    )
  }
  if (!connection.gateway && !url) {
    logger.warn(
      'Discord does not send commands here yet: set the Interactions Endpoint URL in the developer portal (General Information) to CALLBACK_PUBLIC_URL with /interactions at its end, while this process runs.',
    )
  }
}

/**
 * Remedies by the reason for which Discord's gateway closes a connection permanently.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
 */
const REFUSED: Readonly<Record<string, string>> = {
  'Authentication failed': WRONG_TOKEN,
  'Sharding is required':
    'The bot is in too many servers for its number of shards. Stop every bot that has the gateway, and start them again: then they take the number that Discord recommends.',
  'Invalid shard':
    'Discord does not know this shard. Stop every bot that has the gateway, and start them again: then they take the number that Discord recommends.',
  'Used disallowed intents':
    'Discord refuses the events that the bot asks for. Satchel asks for no privileged intents: start an unchanged version.',
}

/** Returns an error that explains how to solve a failure to connect. */
export function cannotConnect(cause: unknown, address: string): Error {
  if (cause instanceof Problem) return cause
  const said = cause instanceof Error ? cause.message : ''
  const isRefused = cause instanceof DiscordAPIError && cause.status === 401
  const refused = isRefused ? WRONG_TOKEN : REFUSED[said]
  if (refused !== undefined) return new Problem(refused, { cause })
  const noneLeft = said.startsWith('Not enough sessions remaining')
  const message = noneLeft
    ? 'The bot has opened as many Discord sessions as Discord allows in a day. Find out why it was started so often, and start it again tomorrow.'
    : `Discord cannot be reached at ${address}. Check the network, and DISCORD_API_URL if it is set.`
  return new Problem(message, { cause })
}

function restOptions({ rest, cdn }: DiscordAddress, permits: Permits) {
  return {
    // The permits control both for all calls of all processes.
    ...{ globalRequestsPerSecond: Number.POSITIVE_INFINITY, timeout: NO_TIMEOUT_MS },
    version: API_VERSION,
    api: rest,
    makeRequest: permits.carry(limitConcurrency(CONNECTIONS, makeRequest)),
    ...(cdn === undefined ? {} : { cdn }),
  }
}

const INTENTS = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.GuildMessageReactions]

/**
 * Creates a client for servers, interactions, and the fact (not the text) that somebody wrote, from the gateway
 * (`gateway.ts`). `shards: 'auto'` prevents discord.js from reading SHARDS and SHARD_COUNT from the environment, which
 * only the configuration may do. The client caches little, and receives voice channels' members only with `voice`.
 */
export function createClient(
  api: DiscordAddress,
  permits: Permits,
  { carry }: Pick<HttpInteractions, 'carry'>,
  { voice = false }: Pick<Connection, 'voice'>,
): Client {
  const shared = restOptions(api, permits)
  return new Client({
    intents: [...INTENTS, ...(voice ? [GatewayIntentBits.GuildVoiceStates] : [])],
    shards: 'auto',
    rest: { ...shared, makeRequest: carry(shared.makeRequest) },
    allowedMentions: { parse: [] },
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      UserManager: 0,
      VoiceStateManager: 0,
      GuildMemberManager: { maxSize: 200, keepOverLimit: ({ id, client }) => id === client.user?.id },
    }),
  })
}

/** Logs discord.js's own warnings and errors. */
export function logFaults(client: Client, log: Logger): void {
  client.on(Events.Error, (error) => log.error({ err: error }, 'discord.js reported an error'))
  client.on(Events.Warn, (message) => log.warn({ message }, 'discord.js warns'))
}
