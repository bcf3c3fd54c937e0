import type { Core } from '../core/core.ts'
import { mustPassAutoMod } from '../messages/auto-mod.ts'
import { deleteMessage, editMessage } from '../messages/posts.ts'
import { mustBeEditable } from '../messages/threads.ts'
import type { UploadedFile } from '../rules/files.ts'
import type { JsonObject } from '../rules/form.ts'
import { mentionPeopleOnly } from '../rules/mentions.ts'
import { checkEdit, checkNewMessage, flag } from '../rules/messages.ts'
import { invalidToken, tooManyFollowUps, unknownMessage, unknownWebhook } from '../rules/refusal.ts'
import type { InteractionRecord, MessageRecord } from '../world/records.ts'
import { tokenLivesMs } from '../world/world.ts'
import { noteChange } from './note-change.ts'
import { writeAnswer } from './respond.ts'

/**
 * Returns the interaction of a token. Throws 10015 if the token is unknown or there is no first response yet, and 50027
 * if the token's 15 minutes are over.
 */
export function byToken(core: Core, applicationId: string, token: string): InteractionRecord {
  const interaction = core.world.interactionByToken(token)
  if (interaction === undefined || applicationId !== core.world.applicationId) throw unknownWebhook()
  if (core.clock.now() - interaction.sentAt > tokenLivesMs) throw invalidToken()
  if (interaction.state === 'waiting' || interaction.state === 'failed') throw unknownWebhook()
  return interaction
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#create-followup-message */
const maxFollowUpsOfGuests = 5

/**
 * Sends a follow-up message. The first message after a deferred response becomes the answer, and is ephemeral if the
 * deferred response was, regardless of its own flags. Throws 40094 for the sixth follow-up of an application that is
 * here only because a person has installed it.
 */
export function followUp(
  core: Core,
  interaction: InteractionRecord,
  body: JsonObject,
  uploads: readonly UploadedFile[],
): MessageRecord {
  const original = messageOf(core, interaction, interaction.originalMessageId)
  const draft = checkNewMessage(body, uploads)
  let message: MessageRecord
  if (original !== undefined && (original.flags & flag.loading) !== 0) {
    mustPassAutoMod(core, interaction, draft)
    editMessage(core, original, draft, mentionPeopleOnly)
    message = original
  } else {
    if (interaction.guest === true && (interaction.followUps ?? 0) >= maxFollowUpsOfGuests) throw tooManyFollowUps()
    message = writeAnswer(core, interaction, draft)
    interaction.followUps = (interaction.followUps ?? 0) + 1
  }
  settle(core, interaction)
  return message
}

/**
 * Returns the message of this interaction with an id, or the original answer for `@original`. Throws 10008 if there is
 * no such message.
 */
export function answer(core: Core, interaction: InteractionRecord, reference: string): MessageRecord {
  const id = reference === '@original' ? interaction.originalMessageId : reference
  const own = id === interaction.originalMessageId || interaction.messageIds.includes(id ?? '')
  const message = own ? messageOf(core, interaction, id) : undefined
  if (message === undefined) throw unknownMessage()
  return message
}

/** Edits an answer. An edit also fills in a deferred answer. */
export function editAnswer(
  core: Core,
  interaction: InteractionRecord,
  reference: string,
  body: JsonObject,
  uploads: readonly UploadedFile[],
): MessageRecord {
  const message = answer(core, interaction, reference)
  mustBeEditable(core, message)
  const draft = checkEdit(body, uploads, message)
  mustPassAutoMod(core, interaction, draft)
  editMessage(core, message, draft, mentionPeopleOnly)
  settle(core, interaction)
  return message
}

/** Deletes an answer. */
export function deleteAnswer(core: Core, interaction: InteractionRecord, reference: string): void {
  deleteMessage(core, answer(core, interaction, reference))
  settle(core, interaction)
}

function settle(core: Core, interaction: InteractionRecord): void {
  interaction.state = 'answered'
  noteChange(core, interaction)
}

function messageOf(core: Core, interaction: InteractionRecord, id: string | null): MessageRecord | undefined {
  return id === null ? undefined : core.world.message(interaction.channelId, id)
}
