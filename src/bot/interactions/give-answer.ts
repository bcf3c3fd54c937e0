import type { Logger } from '../../lib/logger.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import { refusalOf } from '../refusals/explanation.ts'
import type { ReplyToken } from '../transport/reply-token.ts'
import type { AnswerMode, Asking, Outcome } from './command.ts'
import type { Handler } from './handlers.ts'
import type { Acknowledged, RouterOptions } from './router-options.ts'

interface Giving {
  readonly answer: AnswerMode
  readonly reply: ReplyToken
  readonly acknowledged: Acknowledged
  readonly t: Translator
}

type GivingOptions = Pick<RouterOptions, 'board' | 'messenger'>

/** Shows a command's result to the audience that the acknowledgement fixed. */
export async function give(outcome: Outcome, giving: Giving, options: GivingOptions): Promise<void> {
  const { answer, reply } = giving
  if ('card' in outcome) await showCard(outcome, giving, options)
  else if ('say' in outcome) await options.messenger.answer(reply, outcome.say)
  else await sayPrivately(reply, answer, outcome.ephemeral, options)
}

/** Shows a card. If the card is private but the answer is public, removes the answer and sends the card privately. */
async function showCard(
  { card, isPrivate, former }: Extract<Outcome, { readonly card: string }>,
  { answer, reply, acknowledged, t }: Giving,
  { board, messenger }: GivingOptions,
): Promise<void> {
  if (!isPrivate || answer !== 'public') return await board.show(card, { ...acknowledged, former })
  await messenger.deleteAnswer(reply)
  await board.tell(card, reply, t)
}

interface Explaining extends Omit<Giving, 'acknowledged'> {
  readonly log: Logger
  readonly again: Handler['again']
  readonly caller: Asking['caller']
}

/**
 * Reports an error privately. Resolves to whether the report could be sent. No other code handles the command's errors.
 */
export async function explain(
  error: unknown,
  { reply, answer, t, log, again, caller }: Explaining,
  options: GivingOptions,
): Promise<boolean> {
  try {
    const refusal = refusalOf(error, t, { log, application: reply.application, caller })
    const { buttons = [], ...rest } = again?.(t) ?? {}
    const said = { ...refusal, ...rest, buttons: [...(refusal.buttons ?? []), ...buttons] }
    await sayPrivately(reply, answer, said, options)
    return true
  } catch (cause) {
    log.warn({ err: cause }, 'the answer could not be given')
    return false
  }
}

/**
 * Sends a private message in place of the answer. A public answer is removed first, because the acknowledgement fixed
 * who sees it.
 */
async function sayPrivately(reply: ReplyToken, answer: AnswerMode, message: Message, { messenger }: GivingOptions) {
  if (answer === 'private') {
    await messenger.answer(reply, message)
    return
  }
  // A message that was to be changed stays as it was.
  if (answer === 'public') await messenger.deleteAnswer(reply)
  await messenger.followUp(reply, message, { private: true })
}
