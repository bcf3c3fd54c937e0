import {
  RESTJSONErrorCodes as Code,
  DiscordAPIError,
  type InteractionCallbackResponse,
  type InteractionDeferReplyOptions,
  type InteractionReplyOptions,
  MessageFlags,
} from 'discord.js'
import { type Message, requestFor } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Answerable } from './answerable.ts'
import type { AnswerMode } from './command.ts'
import type { Acknowledged } from './router-options.ts'

/** How an interaction is acknowledged. */
export interface Acknowledgement {
  readonly answer: AnswerMode
  /** The answer, or as much of it as is known: it notifies, as no edit does. */
  readonly first: Message | undefined
  /** Whether `first` is all of it. */
  readonly isWhole: boolean
  /** Whether it may be carried out again where Discord knows of an acknowledgement already: it does nothing twice. */
  readonly repeatable: boolean
}

/** The connection broke: whether the message arrived is unknown. */
const BROKEN: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/**
 * Tells Discord that an interaction is being dealt with. Throws where Discord does not take that, and CommandRefusal
 * where an answer for all would be shown to the person alone.
 */
export async function acknowledge(
  interaction: Answerable,
  { answer, first, isWhole, repeatable }: Acknowledgement,
): Promise<Acknowledged> {
  if (answer === 'update' && !interaction.isChatInputCommand()) {
    await interaction.deferUpdate()
    return {}
  }
  try {
    return await send(interaction, answer, { first, isWhole })
  } catch (error) {
    // An earlier process gave it and then ended: nobody else has this token.
    if (isKnown(error) && repeatable) return { again: true, notified: true }
    if (!BROKEN.includes((error as { code?: unknown }).code)) throw error
  }
  // If it did arrive, Discord says so.
  return await send(interaction, answer, { first, isWhole }).catch((error: unknown) => {
    if (isKnown(error)) return { notified: true }
    throw error
  })
}

function isKnown(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === Code.InteractionHasAlreadyBeenAcknowledged
}

async function send(
  interaction: Answerable,
  answer: AnswerMode,
  { first, isWhole }: Pick<Acknowledgement, 'first' | 'isWhole'>,
): Promise<Acknowledged> {
  const begun = first === undefined ? undefined : await begin(interaction, first)
  const said = begun ?? (await defer(interaction, answer))
  const message = said.resource?.message ?? undefined
  // https://docs.discord.com/developers/topics/permissions (USE_EXTERNAL_APPS): Discord may know more than it said.
  if (answer === 'public' && message?.flags.has(MessageFlags.Ephemeral)) {
    throw new CommandRefusal('commandRefusals.only-you')
  }
  if (begun === undefined || first === undefined) return {}
  const ref = message === undefined ? undefined : { channel: message.channelId, message: message.id }
  return { notified: true, ...(isWhole && ref && { written: { message: first, ref } }) }
}

/** Undefined where Discord does not let the text be said: a refused answer does not count as one. */
async function begin(interaction: Answerable, first: Message): Promise<InteractionCallbackResponse | undefined> {
  const { notifies = [] } = first
  const { body } = requestFor(first)
  try {
    return await interaction.reply({
      ...(body as Pick<InteractionReplyOptions, 'content' | 'embeds' | 'components' | 'flags'>),
      allowedMentions: { parse: [], users: [...notifies], repliedUser: false },
      withResponse: true,
    })
  } catch (error) {
    const isRefused = error instanceof DiscordAPIError && error.code === Code.MessageWasBlockedByAutomaticModeration
    if (isRefused) return undefined
    throw error
  }
}

function defer(interaction: Answerable, answer: AnswerMode): Promise<InteractionCallbackResponse> {
  const shown: InteractionDeferReplyOptions = answer === 'private' ? { flags: MessageFlags.Ephemeral } : {}
  return interaction.deferReply({ ...shown, withResponse: true }) as Promise<InteractionCallbackResponse>
}
