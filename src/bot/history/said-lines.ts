import { codeBlock, inlineCode } from 'discord.js'
import type { SuccessWords } from '../../lib/lightning/success-action.ts'
import type { Translator } from '../i18n/translator.ts'
import { quotable } from '../messages/quotable.ts'

const MAX_WORDS = 1_000
/** The maximum length of the receiver's text beside a secret, which may fill the rest of our message. */
const MAX_WORDS_OF_SECRET = 300

/**
 * Formats the receiver's message for the payer (LUD-09, LUD-10): quoted, with its link as text, and its secret as code
 * that can be copied whole.
 */
export function saidLines(said: SuccessWords | undefined, t: Translator): string[] {
  if (said === undefined) return []
  const { words, url, secret } = said
  const longest = secret === undefined ? MAX_WORDS : MAX_WORDS_OF_SECRET
  return [
    words === '' ? '' : t('withdrawal.says', { words: quotable(words, longest) }),
    url === undefined ? '' : t('withdrawal.link', { url: inlineCode(url) }),
    secret === undefined ? '' : secretLine(secret, t),
  ].filter((line) => line !== '')
}

function secretLine(secret: string, t: Translator): string {
  if (secret === 'locked') return t('withdrawal.locked')
  // Replaces text that would end the code block. Nobody sees the difference.
  const shown = secret.replaceAll('```', '`\u200b`\u200b`')
  return t('withdrawal.secret', { secret: codeBlock(shown) })
}
