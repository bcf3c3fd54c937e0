import type { FastifyRequest } from 'fastify'
import type { Core } from '../core/core.ts'
import type { UploadedFile } from '../rules/files.ts'
import { isObject, type JsonObject } from '../rules/form.ts'
import { missingAccess, missingPermissions, unknownChannel, unknownGuild, unknownMessage } from '../rules/refusal.ts'
import { channelPermissions, permission } from '../world/permissions.ts'
import type { ChannelRecord, GuildRecord, MessageRecord } from '../world/records.ts'
import type { RequestBody } from './multipart.ts'

/** A part of the address, by the name it has in the route. */
export function param(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? ''
}

/** A query parameter; undefined when it is not there or is there twice. */
export function query(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/** The JSON object of the body; an absent body is an empty one. */
export function jsonOf(request: FastifyRequest): JsonObject {
  const json = (request.body as RequestBody | undefined)?.json
  return isObject(json) ? json : {}
}

/** The JSON of the body, whatever it is. */
export function rawJsonOf(request: FastifyRequest): unknown {
  return (request.body as RequestBody | undefined)?.json
}

export function filesOf(request: FastifyRequest): readonly UploadedFile[] {
  return (request.body as RequestBody | undefined)?.files ?? []
}

/** The channel of the address, if the bot can see it and has the bits. Throws 10003, 50001 or 50013. */
export function channelOf(core: Core, request: FastifyRequest, bits = 0n): ChannelRecord {
  const channel = core.world.channels.get(param(request, 'channel'))
  if (channel === undefined) throw unknownChannel()
  const own = channelPermissions(core.world, channel, core.world.applicationId)
  if ((own & permission.viewChannel) === 0n) throw missingAccess()
  if ((own & bits) !== bits) throw missingPermissions()
  return channel
}

/** The message of the address; ephemeral ones do not exist here. Throws 10008. */
export function messageOf(core: Core, request: FastifyRequest, channel: ChannelRecord): MessageRecord {
  const message = core.world.message(channel.id, param(request, 'message'))
  if (message === undefined || message.visibleTo !== null) throw unknownMessage()
  return message
}

/** The server of the address, if the bot is in it. Throws 10004 or 50001. */
export function guildOf(core: Core, request: FastifyRequest): GuildRecord {
  const guild = core.world.guilds.get(param(request, 'guild'))
  if (guild === undefined) throw unknownGuild()
  if (core.world.member(guild.id, core.world.applicationId) === undefined) throw missingAccess()
  return guild
}
