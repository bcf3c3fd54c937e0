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
 * Finds the interaction of a token. Throws 10015 for an unknown token or before the first response, and 50027 after its
 * 15 minutes.
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
 * Sends one more message. The first message after a deferred answer becomes that answer, and is as private as the defer
 * said, regardless of its own flags. Throws 40094 for the sixth message of an application that is installed only by a
 * person.
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

/** Finds a message of this interaction by id or `@original`. Throws 10008. */
export function answer(core: Core, interaction: InteractionRecord, reference: string): MessageRecord {
  const id = reference === '@original' ? interaction.originalMessageId : reference
  const own = id === interaction.originalMessageId || interaction.messageIds.includes(id ?? '')
  const message = own ? messageOf(core, interaction, id) : undefined
  if (message === undefined) throw unknownMessage()
  return message
}

/** Edits an answer. Filling a deferred answer is an edit too. */
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
