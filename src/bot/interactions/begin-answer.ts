import { DiscordAPIError } from 'discord.js'
import type { Message } from '../messages/message.ts'
import { mention } from '../messages/panel.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { ReplyToken } from '../transport/reply-token.ts'
import { acknowledge } from './acknowledge.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import type { Answerable } from './answerable.ts'
import { claimIdOf } from './claim-waiting.ts'
import type { Asking } from './command.ts'
import type { Foreseen } from './dry-run.ts'
import type { Handler } from './handlers.ts'
import type { Acknowledged, RouterOptions } from './router-options.ts'

/** An answer that has begun with an acknowledgement. */
export interface Begun {
  readonly reply: ReplyToken
  readonly acknowledged: Acknowledged
  /** The id of the note that the first answer announces a result; undefined if it announces none. */
  readonly announcement: string | undefined
  /** The refusal of a command whose public answer Discord would show to the person alone; undefined otherwise. */
  readonly refused: CommandRefusal | undefined
  /** Releases the command's cards, so that the board may show them. */
  release(): void
}

interface ToBegin {
  readonly interaction: Answerable
  readonly handler: Handler
  readonly asking: Asking
  readonly reply: ReplyToken
  /** The recipients whom the answer will name, as far as the dry run found them. */
  readonly named: ReadonlySet<string>
}

/**
 * Acknowledges a command with its answer, as far as the answer is known. Resolves to undefined if the acknowledgement
 * failed; then the command must not run.
 */
export async function beginAnswer(
  { interaction, handler, asking, reply, named }: ToBegin,
  foreseen: Foreseen,
  acknowledgements: Acknowledgements,
  options: Pick<RouterOptions, 'board' | 'people'>,
): Promise<Begun | undefined> {
  const { first, announcement } = await announce(firstAnswer(foreseen, asking, [...named], options), asking)
  const releases = [interaction.id, claimIdOf(asking.origin)].map((id) => options.board.reserve(id))
  const begun = { reply, announcement, release: () => void releases.map((each) => each()) }
  const acknowledgement = {
    answer: foreseen.answer,
    first: first?.message,
    isWhole: first?.isWhole ?? false,
    repeatable: handler.dryRun === true,
  }
  try {
    const acknowledged = await acknowledgements.send(() => acknowledge(interaction, acknowledgement))
    return { ...begun, acknowledged, refused: undefined }
  } catch (error) {
    if (error instanceof CommandRefusal) return { ...begun, acknowledged: {}, refused: error }
    asking.log.warn({ err: error }, 'not acknowledged, so nothing was done')
    // A broken connection proves nothing: the answer may be visible to all, and the note takes it back.
    if (error instanceof DiscordAPIError) await endAnnouncement(announcement, asking)
    begun.release()
    return undefined
  }
}

interface FirstAnswer {
  readonly message: Message
  readonly isWhole: boolean
}

/** The number of mentions that safely fit into one message. */
const MAX_NOTIFIED = 80

/**
 * Returns the beginning of a public answer if its recipients are known, because only the first message notifies them.
 */
function firstAnswer(
  { answer, tip }: Foreseen,
  { member, origin }: Asking,
  named: readonly string[],
  { board, people }: Pick<RouterOptions, 'board' | 'people'>,
): FirstAnswer | undefined {
  if (answer !== 'public') return undefined
  if (tip !== undefined) {
    const { message, isWhole } = board.drawFirstAnswer(tip, origin)
    const known = people.namedNow(message)
    return { message: known ?? message, isWhole: isWhole && known !== undefined }
  }
  if (named.length === 0) return undefined
  const notifies = named.slice(0, MAX_NOTIFIED)
  const content = `⚡ ${mention(member)} → ${notifies.map(mention).join(' ')} …`
  const message = { content, notifies }
  return { message: people.namedNow(message) ?? message, isWhole: false }
}

/** Stores a note before a first answer announces a result. If the note cannot be stored, no such answer is sent. */
async function announce(first: FirstAnswer | undefined, { tipping, origin, log }: Asking) {
  if (!first?.isWhole) return { first, announcement: undefined }
  try {
    return { first, announcement: await tipping.announcements.note(origin) }
  } catch (error) {
    log.warn({ err: error }, 'a first answer could not be noted')
    return { first: undefined, announcement: undefined }
  }
}

/** Ends the note about a first answer. If this fails, the note is later found together with the command's outcome. */
export async function endAnnouncement(announcement: string | undefined, { tipping, log }: Asking): Promise<void> {
  if (announcement === undefined) return
  try {
    await tipping.announcements.end(announcement)
  } catch (error) {
    log.warn({ err: error }, 'the note of a first answer could not be ended')
  }
}
