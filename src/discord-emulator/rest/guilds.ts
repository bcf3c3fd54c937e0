import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { missingAccess, unknownMember, unknownRole } from '../rules/refusal.ts'
import { channelPayload, guildPayload, memberPayload, rolePayload } from '../world/payloads.ts'
import { channelPermissions } from '../world/permissions.ts'
import type { ChannelRecord } from '../world/records.ts'
import { guildOf, param, query } from './read.ts'

const pageOfMembers = 1000

/** Serves what the bot can read about servers: their roles, channels and members. */
export function serveGuilds(api: FastifyInstance, core: Core, mayListMembers: boolean): void {
  const { world } = core
  const base = '/guilds/:guild'
  api.get(base, async (request) => {
    const guild = guildOf(core, request)
    const members = world.memberCount(guild.id)
    const counts = query(request, 'with_counts') === 'true'
    return {
      ...guildPayload(world, guild),
      ...(counts && { approximate_member_count: members, approximate_presence_count: members }),
    }
  })
  const shown = (channel: ChannelRecord) => channelPayload(world, channel, world.applicationId)
  const sees = (channel: ChannelRecord) => channelPermissions(world, channel, world.applicationId) !== 0n
  // https://docs.discord.com/developers/resources/guild#get-guild-channels: without threads.
  api.get(`${base}/channels`, async (request) =>
    world
      .channelsOf(guildOf(core, request).id)
      .filter(({ thread }) => thread === undefined)
      .map(shown),
  )
  api.get(`${base}/threads/active`, async (request) => {
    const threads = world.channelsOf(guildOf(core, request).id).filter(({ thread }) => thread?.archived === false)
    return { threads: threads.filter(sees).map(shown), members: [] }
  })
  api.get(`${base}/roles`, async (request) => world.rolesOf(guildOf(core, request).id).map(rolePayload))
  api.get(`${base}/roles/:role`, async (request) => {
    const role = world.roles.get(param(request, 'role'))
    if (role === undefined || role.guildId !== guildOf(core, request).id) throw unknownRole()
    return rolePayload(role)
  })
  // https://docs.discord.com/developers/resources/guild#get-guild-role-member-counts
  api.get(`${base}/roles/member-counts`, async (request) => {
    const guild = guildOf(core, request)
    const members = world.membersOf(guild.id)
    const counts = world.rolesOf(guild.id).filter(({ id }) => id !== guild.id)
    return Object.fromEntries(
      counts.map(({ id }) => [id, members.filter(({ roleIds }) => roleIds.includes(id)).length]),
    )
  })
  // https://docs.discord.com/developers/resources/guild#list-guild-members: only with the Server Members intent.
  api.get(`${base}/members`, async (request) => {
    if (!mayListMembers) throw missingAccess()
    const limit = limitOf(query(request, 'limit'))
    const after = BigInt(query(request, 'after') ?? '0')
    return world
      .membersOf(guildOf(core, request).id)
      .filter(({ userId }) => BigInt(userId) > after)
      .sort((one, other) => (BigInt(one.userId) < BigInt(other.userId) ? -1 : 1))
      .slice(0, limit)
      .map((member) => memberPayload(world, member))
  })
  api.get(`${base}/members/search`, async (request) => {
    const wanted = (query(request, 'query') ?? '').toLowerCase()
    return world
      .membersOf(guildOf(core, request).id)
      .filter(({ userId, nick }) => {
        const user = world.users.get(userId)
        return [nick, user?.username, user?.displayName].some((name) => name?.toLowerCase().startsWith(wanted))
      })
      .slice(0, limitOf(query(request, 'limit')))
      .map((member) => memberPayload(world, member))
  })
  api.get(`${base}/members/:user`, async (request) => {
    const member = world.member(guildOf(core, request).id, param(request, 'user'))
    if (member === undefined) throw unknownMember()
    return memberPayload(world, member)
  })
}

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? 1)
  return Number.isInteger(limit) ? Math.min(Math.max(limit, 1), pageOfMembers) : 1
}
