import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { openDm } from '../people/direct.ts'
import type { JsonObject } from '../rules/form.ts'
import { unknownUser } from '../rules/refusal.ts'
import { channelPayload, guildPayload, userPayload } from '../world/payloads.ts'
import { jsonOf, param, query } from './read.ts'

/** https://docs.discord.com/developers/resources/user#get-current-user-guilds */
const GUILDS_PAGE = 200

/** Who the bot is, where its gateway is, and the people it knows. */
export function serveIdentity(api: FastifyInstance, core: Core, shards: number): void {
  const { world } = core
  api.get('/gateway', async () => ({ url: core.address.gatewayUrl }))
  api.get('/gateway/bot', async () => ({
    url: core.address.gatewayUrl,
    shards,
    // With 1, a client of many shards would wait five seconds before each further one.
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 16 },
  }))
  api.get('/applications/@me', async () => application(core))
  api.get('/oauth2/applications/@me', async () => application(core))
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

function application(core: Core): JsonObject {
  const { world } = core
  const bot = user(core, world.applicationId)
  return {
    id: world.applicationId,
    name: bot.username,
    icon: null,
    description: '',
    summary: '',
    type: null,
    bot,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: core.endpoint.publicKey,
    // GATEWAY_GUILD_MEMBERS_LIMITED: the Server Members intent is switched on.
    flags: 1 << 15,
    hook: true,
    integration_types_config: { '0': {}, '1': {} },
    owner: bot,
    team: null,
    approximate_guild_count: world.guildsOf(world.applicationId).length,
    redirect_uris: [],
    interactions_endpoint_url: core.endpoint.url,
  }
}
