import {
  type APIChannel,
  type APIGuild,
  type Client,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayOpcodes,
  type RESTGetAPICurrentUserGuildsResult,
  type RESTGetAPIGuildThreadsResult,
  Routes,
} from 'discord.js'
import type { Calls } from './permits.ts'

const PAGE = 200

export interface LearnedFrom {
  readonly client: Client
  readonly rest: Calls
  readonly hear: (packet: GatewayDispatchPayload) => void
}

/** Which shard tells of a server. https://docs.discord.com/developers/events/gateway#sharding */
export function shardOf(guild: string, count: number): number {
  return Number((BigInt(guild) >> 22n) % BigInt(count))
}

/**
 * Reads which servers a shard tells of, with their channels and roles, as Discord says it only at the beginning of a session. A
 * process that goes on with another's session was not there then.
 */
export async function learnServers(from: LearnedFrom, shard: number, count: number): Promise<void> {
  for await (const guild of guildsOf(from.rest)) {
    if (shardOf(guild, count) !== shard || from.client.guilds.cache.has(guild)) continue
    const packet = await readServer(from.rest, guild)
    // It may have told of itself meanwhile.
    if (!from.client.guilds.cache.has(guild)) from.hear(packet)
  }
}

async function* guildsOf(rest: Calls): AsyncGenerator<string> {
  let after = '0'
  for (;;) {
    const query = new URLSearchParams({ limit: String(PAGE), after })
    const page = (await rest.get(Routes.userGuilds(), { query })) as RESTGetAPICurrentUserGuildsResult
    for (const { id } of page) yield id
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return
    after = last.id
  }
}

async function readServer(rest: Calls, id: string): Promise<GatewayDispatchPayload> {
  const [guild, channels, { threads }] = await Promise.all([
    rest.get(Routes.guild(id)) as Promise<APIGuild>,
    rest.get(Routes.guildChannels(id)) as Promise<APIChannel[]>,
    rest.get(Routes.guildActiveThreads(id)) as Promise<RESTGetAPIGuildThreadsResult>,
  ])
  const nobody = { members: [], presences: [], voice_states: [], stage_instances: [], soundboard_sounds: [] }
  const told = { ...guild, channels, threads, ...nobody, guild_scheduled_events: [], unavailable: false }
  return { op: GatewayOpcodes.Dispatch, t: GatewayDispatchEvents.GuildCreate, s: 0, d: told } as never
}
