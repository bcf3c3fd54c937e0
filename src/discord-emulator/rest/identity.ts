import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { openDm } from '../people/direct.ts'
import type { JsonObject } from '../rules/form.ts'
import { unknownUser } from '../rules/refusal.ts'
import { channelPayload, guildPayload, userPayload } from '../world/payloads.ts'
import { jsonOf, param, query } from './read.ts'

/** https://docs.discord.com/developers/resources/user#get-current-user-guilds */
const GUILDS_PAGE = 200

/** Serves the bot's identity and servers, the gateway's address, people, and the opening of direct conversations. */
export function serveIdentity(
  api: FastifyInstance,
  core: Core,
  { shards, maxConcurrency }: { readonly shards: number; readonly maxConcurrency: number },
): void {
  const { world } = core
  api.get('/gateway', async () => ({ url: core.address.gatewayUrl }))
  api.get('/gateway/bot', async () => ({
    url: core.address.gatewayUrl,
    shards,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: maxConcurrency },
  }))
  api.get('/users/@me', async () => ({
    ...user(core, world.applicationId),
    locale: 'en-US',
    mfa_enabled: true,
    verified: true,
  }))
  api.get('/users/@me/guilds', async (request) => {
    const after = BigInt(query(request, 'after') ?? '0')
    const limit = Math.min(Number(query(request, 'limit') ?? GUILDS_PAGE), GUILDS_PAGE)
    return world
      .guildsOf(world.applicationId)
      .filter(({ id }) => BigInt(id) > after)
      .sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
      .slice(0, limit)
      .map((guild) => ({ ...guildPayload(world, guild), owner: false }))
  })
  api.post('/users/@me/channels', async (request) => {
    const recipientId = String(jsonOf(request).recipient_id ?? '')
    if (recipientId === world.applicationId || !world.users.has(recipientId)) throw unknownUser()
    return channelPayload(world, openDm(core, world.applicationId, recipientId), world.applicationId)
  })
  api.get('/users/:user', async (request) => user(core, param(request, 'user')))
}

function user({ world }: Core, id: string): JsonObject {
  const found = world.users.get(id)
  if (found === undefined) throw unknownUser()
  return userPayload(found)
}
