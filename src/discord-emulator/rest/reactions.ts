import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { addReaction, parseEmoji, removeReaction } from '../messages/reactions.ts'
import { missingPermissions } from '../rules/refusal.ts'
import { userPayload } from '../world/payloads.ts'
import { may, permission } from '../world/permissions.ts'
import { channelOf, messageOf, param } from './read.ts'

/** Serves reactions: the bot can read all of them, add and remove its own, and remove those of others. */
export function serveReactions(api: FastifyInstance, core: Core): void {
  const { world } = core
  const base = '/channels/:channel/messages/:message/reactions/:emoji'
  api.get(base, async (request) => {
    const channel = channelOf(core, request, permission.readMessageHistory)
    const emoji = parseEmoji(param(request, 'emoji'))
    const reaction = messageOf(core, request, channel).reactions.find((each) => each.emoji === emoji)
    return (reaction?.userIds ?? []).flatMap((id) => world.users.get(id) ?? []).map(userPayload)
  })
  api.put(`${base}/@me`, async (request, reply) => {
    const channel = channelOf(core, request, permission.readMessageHistory)
    const message = messageOf(core, request, channel)
    const emoji = parseEmoji(param(request, 'emoji'))
    const isNew = !message.reactions.some((each) => each.emoji === emoji)
    if (isNew && !may(world, channel, world.applicationId, permission.addReactions)) throw missingPermissions()
    addReaction(core, message, emoji, world.applicationId)
    return reply.code(204).send()
  })
  api.delete(`${base}/:user`, async (request, reply) => {
    const channel = channelOf(core, request)
    const userId = param(request, 'user') === '@me' ? world.applicationId : param(request, 'user')
    const others = userId !== world.applicationId
    if (others && !may(world, channel, world.applicationId, permission.manageMessages)) throw missingPermissions()
    removeReaction(core, messageOf(core, request, channel), parseEmoji(param(request, 'emoji')), userId)
    return reply.code(204).send()
  })
}
