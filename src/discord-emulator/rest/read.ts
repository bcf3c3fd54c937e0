import type { FastifyRequest } from 'fastify'
import type { Core } from '../core/core.ts'
import type { UploadedFile } from '../rules/files.ts'
import { isObject, type JsonObject } from '../rules/form.ts'
import { missingAccess, missingPermissions, unknownChannel, unknownGuild, unknownMessage } from '../rules/refusal.ts'
import { channelPermissions, permission } from '../world/permissions.ts'
import type { ChannelRecord, GuildRecord, MessageRecord } from '../world/records.ts'
import type { RequestBody } from './multipart.ts'

/** Returns the part of a request's path that has this name in the route. */
export function param(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? ''
}

/** Returns a query parameter; undefined if it is missing or present twice. */
export function query(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the body's JSON object; an absent body is an empty object. */
export function jsonOf(request: FastifyRequest): JsonObject {
  const json = (request.body as RequestBody | undefined)?.json
  return isObject(json) ? json : {}
}

/** Returns the body's JSON, of whatever type it is. */
export function rawJsonOf(request: FastifyRequest): unknown {
  return (request.body as RequestBody | undefined)?.json
}

export function filesOf(request: FastifyRequest): readonly UploadedFile[] {
  return (request.body as RequestBody | undefined)?.files ?? []
}

/**
 * Returns the channel in a request's path. Throws 10003 if it is unknown, 50001 if the bot cannot see it, and 50013 if
 * the bot lacks these permissions there.
 */
export function channelOf(core: Core, request: FastifyRequest, bits = 0n): ChannelRecord {
  const channel = core.world.channels.get(param(request, 'channel'))
  if (channel === undefined) throw unknownChannel()
  const own = channelPermissions(core.world, channel, core.world.applicationId)
  if ((own & permission.viewChannel) === 0n) throw missingAccess()
  if ((own & bits) !== bits) throw missingPermissions()
  return channel
}

/** Returns the message in a request's path. Throws 10008 if it is unknown or ephemeral. */
export function messageOf(core: Core, request: FastifyRequest, channel: ChannelRecord): MessageRecord {
  const message = core.world.message(channel.id, param(request, 'message'))
  if (message === undefined || message.visibleTo !== null) throw unknownMessage()
  return message
}

/** Returns the server in a request's path. Throws 10004 if it is unknown, and 50001 if the bot is not in it. */
export function guildOf(core: Core, request: FastifyRequest): GuildRecord {
  const guild = core.world.guilds.get(param(request, 'guild'))
  if (guild === undefined) throw unknownGuild()
  if (core.world.member(guild.id, core.world.applicationId) === undefined) throw missingAccess()
  return guild
}
