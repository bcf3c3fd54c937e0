import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { deleteMessage, editMessage, postMessage } from '../messages/posts.ts'
import { mustBeEditable, OldEdits, wakeThread } from '../messages/threads.ts'
import { mustReach } from '../people/direct.ts'
import { mentionEverything } from '../rules/mentions.ts'
import { checkEdit, checkNewMessage, flag, type MessageDraft } from '../rules/messages.ts'
import { cannotReply, forumChannel, invalidForm, missingPermissions, notYourMessage } from '../rules/refusal.ts'
import { isSnowflake, madeAt } from '../rules/snowflake.ts'
import { messagePayload } from '../world/payloads.ts'
import { may, permission, sendingIn } from '../world/permissions.ts'
import { type ChannelRecord, channelKind, type MessageRecord } from '../world/records.ts'
import { channelOf, filesOf, jsonOf, messageOf, query } from './read.ts'

/** For how long the same nonce means the same message, if the bot has set `enforce_nonce`. */
const nonceHoldsMs = 5 * 60_000

/** Serves the messages in channels, which the bot can read, write, edit and delete outside interactions. */
export function serveMessages(api: FastifyInstance, core: Core): void {
  const { world } = core
  const shown = (message: MessageRecord) => messagePayload(world, core.address.cdnUrl, message)
  const base = '/channels/:channel/messages'
  const one = `${base}/:message`
  const oldEdits = new OldEdits()
  api.get(base, async (request) => {
    const channel = channelOf(core, request, permission.readMessageHistory)
    const anchor = (name: string) => {
      const value = query(request, name)
      return isSnowflake(value) ? value : undefined
    }
    const limit = Number(query(request, 'limit') ?? 50)
    if (!Number.isInteger(limit) || limit < 1 || limit > 100)
      throw invalidForm([
        { path: ['limit'], code: 'NUMBER_TYPE_MAX', message: 'int value should be between 1 and 100.' },
      ])
    const page = { before: anchor('before'), after: anchor('after'), around: anchor('around'), limit }
    return world
      .log(channel.id)
      .page(page, ({ visibleTo }) => visibleTo === null)
      .reverse()
      .map(shown)
  })
  api.get(one, async (request) => {
    const channel = channelOf(core, request, permission.readMessageHistory)
    return shown(messageOf(core, request, channel))
  })
  api.post(base, async (request) => {
    const channel = channelOf(core, request)
    if (channel.type === channelKind.forum) throw forumChannel()
    if (!may(world, channel, world.applicationId, sendingIn(channel))) throw missingPermissions()
    if (channel.type === channelKind.dm) mustReach(core, channel)
    const draft = checkNewMessage(jsonOf(request), filesOf(request))
    wakeThread(core, channel)
    if (draft.files.added.length > 0 && !may(world, channel, world.applicationId, permission.attachFiles))
      throw missingPermissions()
    return shown(sameNonce(core, channel, draft) ?? post(core, channel, draft))
  })
  api.patch(one, async (request) => {
    const channel = channelOf(core, request)
    const message = messageOf(core, request, channel)
    if (message.authorId !== world.applicationId) throw notYourMessage()
    mustBeEditable(core, message)
    oldEdits.mustBeAllowed(message, core.clock.now())
    editMessage(core, message, checkEdit(jsonOf(request), filesOf(request), message), mentionEverything)
    return shown(message)
  })
  api.delete(one, async (request, reply) => {
    const channel = channelOf(core, request)
    const message = messageOf(core, request, channel)
    const own = message.authorId === world.applicationId
    if (!own && !may(world, channel, world.applicationId, permission.manageMessages)) throw missingPermissions()
    deleteMessage(core, message)
    return reply.code(204).send()
  })
}

function post(core: Core, channel: ChannelRecord, draft: MessageDraft): MessageRecord {
  const { world } = core
  // https://docs.discord.com/developers/resources/message#message-reference
  const canReply = may(world, channel, world.applicationId, permission.readMessageHistory)
  if (draft.replyTo !== undefined && !canReply) throw cannotReply()
  const answered = draft.replyTo === undefined ? undefined : world.message(channel.id, draft.replyTo)
  if (draft.replyTo !== undefined && answered === undefined && draft.mustExist)
    throw invalidForm([
      { path: ['message_reference'], code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', message: 'Unknown message' },
    ])
  const showsEmbeds = may(world, channel, world.applicationId, permission.embedLinks)
  return postMessage(core, {
    channel,
    authorId: world.applicationId,
    type: answered === undefined ? 0 : 19,
    draft: showsEmbeds ? draft : { ...draft, embeds: [] },
    flags: draft.flags & ~flag.ephemeral,
    defaultMentions: mentionEverything,
    origin: null,
    replyTo: answered?.id ?? null,
    visibleTo: null,
  })
}

/**
 * Returns the message that the bot has sent with the same nonce in the last minutes; undefined if there is none, or if
 * the draft does not set `enforce_nonce`.
 */
function sameNonce(core: Core, channel: ChannelRecord, draft: MessageDraft): MessageRecord | undefined {
  if (!draft.enforceNonce || draft.nonce === undefined) return undefined
  const since = core.clock.now() - nonceHoldsMs
  const recent = core.world.log(channel.id).page({ limit: 100 }, () => true)
  return recent.find(
    ({ id, nonce, authorId }) => nonce === draft.nonce && authorId === core.world.applicationId && madeAt(id) >= since,
  )
}
