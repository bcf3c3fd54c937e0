import type { Core } from '../core/core.ts'
import { firstResponseMs } from '../core/pending-interactions.ts'
import { mustPassAutoMod } from '../messages/auto-mod.ts'
import { editMessage, emptyDraft, postMessage } from '../messages/posts.ts'
import { mustBeEditable, wakeThread } from '../messages/threads.ts'
import { checkAutocomplete } from '../rules/autocomplete.ts'
import type { UploadedFile } from '../rules/files.ts'
import { Form, isObject, type JsonObject } from '../rules/form.ts'
import { mentionPeopleOnly } from '../rules/mentions.ts'
import { checkEdit, checkNewMessage, flag, type MessageDraft } from '../rules/messages.ts'
import { checkModal } from '../rules/modals.ts'
import { alreadyAcknowledged, DiscordRefusal, unknownInteraction, unknownMessage } from '../rules/refusal.ts'
import type { InteractionRecord, MessageOrigin, MessageRecord } from '../world/records.ts'
import { noteChange } from './note-change.ts'

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object */
const response = { message: 4, defer: 5, deferUpdate: 6, update: 7, choices: 8, modal: 9 } as const

/**
 * Accepts the bot's first response to an interaction. Throws 10062 after 3 seconds or if the interaction is unknown,
 * 40060 if there already was a response, and 50035 if the response is invalid. After a refusal, the bot can still
 * respond.
 */
export function respond(
  core: Core,
  id: string,
  token: string,
  body: JsonObject,
  uploads: readonly UploadedFile[],
): InteractionRecord {
  const interaction = core.world.interaction(id)
  if (interaction === undefined || interaction.token !== token) throw unknownInteraction()
  if (interaction.state === 'failed') throw unknownInteraction()
  if (interaction.state !== 'waiting') throw alreadyAcknowledged()
  const afterMs = core.clock.now() - interaction.sentAt
  if (afterMs > firstResponseMs) throw unknownInteraction()
  const form = new Form()
  const type = form.choice(body, 'type', [], allowedResponses(interaction), { required: true })
  form.refuse()
  const data = isObject(body.data) ? body.data : {}
  underData(() => apply(core, interaction, type ?? 0, data, uploads))
  core.pending.met(interaction)
  interaction.acknowledgedAfterMs = afterMs
  noteChange(core, interaction)
  return interaction
}

function allowedResponses(interaction: InteractionRecord): readonly number[] {
  const onComponent = interaction.sourceMessageId === null ? [] : [response.deferUpdate, response.update]
  switch (interaction.type) {
    case 2:
      return [response.message, response.defer, response.modal]
    case 3:
      return [response.message, response.defer, ...onComponent, response.modal]
    case 4:
      return [response.choices]
    case 5:
      return [response.message, response.defer, ...onComponent]
  }
}

function apply(
  core: Core,
  interaction: InteractionRecord,
  type: number,
  data: JsonObject,
  uploads: readonly UploadedFile[],
): void {
  switch (type) {
    case response.message:
      writeFirst(core, interaction, checkNewMessage(data, uploads), 0)
      break
    case response.defer:
      writeFirst(core, interaction, { ...emptyDraft, flags: checkDefer(data) }, flag.loading)
      break
    case response.deferUpdate:
      interaction.originalMessageId = interaction.sourceMessageId
      break
    case response.update: {
      const source = core.world.message(interaction.channelId, interaction.sourceMessageId ?? '')
      if (source === undefined) throw unknownMessage()
      mustBeEditable(core, source)
      editMessage(core, source, checkEdit(data, uploads, source), mentionPeopleOnly)
      interaction.originalMessageId = source.id
      break
    }
    case response.choices:
      interaction.choices = checkAutocomplete(data)
      break
    case response.modal: {
      const modal = checkModal(data)
      interaction.modal = { custom_id: modal.customId, title: modal.title, components: modal.components }
      break
    }
  }
  interaction.state = type === response.defer || type === response.deferUpdate ? 'deferred' : 'answered'
}

/** Checks a deferred response, which can only say whether the answer will be ephemeral. Returns its flags. */
function checkDefer(data: JsonObject): number {
  const form = new Form()
  const flags = form.integer(data, 'flags', [], { min: 0 }) ?? 0
  if ((flags & ~flag.ephemeral) !== 0)
    form.fault(['flags'], 'MESSAGE_FLAGS_INVALID', 'Only the EPHEMERAL flag can be set when deferring a response')
  form.refuse()
  return flags
}

function writeFirst(core: Core, interaction: InteractionRecord, draft: MessageDraft, extraFlags: number): void {
  const message = writeAnswer(core, interaction, draft, extraFlags)
  interaction.originalMessageId = message.id
}

/** Writes a message that answers an interaction. Only the interaction's person sees an ephemeral answer. */
export function writeAnswer(
  core: Core,
  interaction: InteractionRecord,
  draft: MessageDraft,
  extraFlags = 0,
): MessageRecord {
  const channel = core.world.channels.get(interaction.channelId)
  if (channel === undefined) throw unknownInteraction()
  mustPassAutoMod(core, interaction, draft)
  const forced = interaction.forcedEphemeral === true ? flag.ephemeral : 0
  const flags = draft.flags | extraFlags | forced
  const ephemeral = (flags & flag.ephemeral) !== 0
  if (!ephemeral) wakeThread(core, channel)
  const first = interaction.originalMessageId === null
  const message = postMessage(core, {
    channel,
    authorId: core.world.applicationId,
    type: first && interaction.type === 2 ? (interaction.commandType === 1 ? 20 : 23) : 19,
    draft,
    flags,
    defaultMentions: mentionPeopleOnly,
    origin: originOf(core, interaction),
    replyTo: interaction.originalMessageId ?? interaction.sourceMessageId,
    visibleTo: ephemeral ? interaction.userId : null,
  })
  interaction.messageIds.push(message.id)
  return message
}

function originOf(core: Core, interaction: InteractionRecord): MessageOrigin {
  const opener = interaction.openedBy === undefined ? undefined : core.world.interaction(interaction.openedBy)
  return {
    id: interaction.id,
    type: interaction.type,
    userId: interaction.userId,
    name: interaction.type === 2 ? interaction.name : '',
    commandType: interaction.commandType,
    targetUserId: interaction.targetUserId,
    targetMessageId: interaction.type === 2 ? interaction.targetMessageId : null,
    originalMessageId: interaction.originalMessageId,
    interactedMessageId: interaction.type === 3 ? interaction.sourceMessageId : null,
    ...(interaction.owners && { owners: interaction.owners }),
    ...(opener && { triggering: originOf(core, opener) }),
  }
}

/** Runs a check of a response's `data`, and rethrows its faults with paths that begin with `data`. */
function underData(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof DiscordRefusal) || error.faults.length === 0) throw error
    const faults = error.faults.map((fault) => ({ ...fault, path: ['data', ...fault.path] }))
    throw new DiscordRefusal(error.status, error.code, error.message, faults)
  }
}
