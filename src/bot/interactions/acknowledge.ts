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

/** The way in which an interaction is acknowledged. */
export interface Acknowledgement {
  readonly answer: AnswerMode
  /** The answer, as far as it is known already. Unlike a later edit, this first message notifies people. */
  readonly first: Message | undefined
  /** Whether `first` is the whole answer. */
  readonly isWhole: boolean
  /**
   * Whether the command may run again if Discord already has an acknowledgement. Such a command must not have any
   * effect twice.
   */
  readonly repeatable: boolean
}

/** The codes of errors of a broken connection, after which it is unknown whether the message arrived. */
const BROKEN: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/**
 * Acknowledges an interaction to Discord. Throws if Discord does not accept the acknowledgement. Throws CommandRefusal
 * if a public answer would be shown to the person alone.
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
    // An earlier process acknowledged it and then ended: nobody else has this token.
    if (isKnown(error) && repeatable) return { again: true, notified: true }
    if (!BROKEN.includes((error as { code?: unknown }).code)) throw error
  }
  // If it did arrive, Discord reports that.
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
  // https://docs.discord.com/developers/topics/permissions (USE_EXTERNAL_APPS): Discord may have hidden it without
  // saying so.
  if (answer === 'public' && message?.flags.has(MessageFlags.Ephemeral)) {
    throw new CommandRefusal('commandRefusals.only-you')
  }
  if (begun === undefined || first === undefined) return {}
  const ref = message === undefined ? undefined : { channel: message.channelId, message: message.id }
  return { notified: true, ...(isWhole && ref && { written: { message: first, ref } }) }
}

/** Sends the first answer; undefined if AutoMod forbids its text, which leaves the interaction unacknowledged. */
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
