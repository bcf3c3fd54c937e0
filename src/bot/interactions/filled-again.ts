import type { Translator } from '../i18n/translator.ts'
import { button, type Message } from '../messages/message.ts'
import { quotable } from '../messages/quotable.ts'

/** Discord's limit for a `custom_id`, which stores a form's values. */
const MAX_CUSTOM_ID = 100

/**
 * Returns a button that opens a form again, as it was filled in. The button stores the fixed values, and then as much
 * of the texts as fits. If not everything fits, also returns the last text, for the member to copy.
 */
export function filledAgain(
  verb: string,
  fixed: readonly (string | number | undefined)[],
  texts: readonly (string | undefined)[],
  t: Translator,
): Pick<Message, 'buttons' | 'content'> {
  const head = [...fixed.map((value) => value ?? ''), ...texts.map((text) => text?.length ?? 0), ''].join('/')
  const record = `${head}${texts.map((text) => text ?? '').join('')}`
  const most = MAX_CUSTOM_ID - verb.length - 1
  const lost = record.length > most ? texts.at(-1) : undefined
  return {
    buttons: [button(verb, record.slice(0, most), t('confirmation.changeButton'), { emoji: '✏️' })],
    ...(lost !== undefined && { content: `> ${quotable(lost, lost.length)}` }),
  }
}

/** Reads what `filledAgain` stored: this many fixed values, then this many texts. Missing texts are empty. */
export function readAgain(record: string, fixed: number, texts: number): { fixed: string[]; texts: string[] } {
  const parts = record.split('/')
  const lengths = parts.slice(fixed, fixed + texts).map(Number)
  let rest = parts.slice(fixed + texts).join('/')
  const found = lengths.map((length) => {
    const text = rest.slice(0, length)
    rest = rest.slice(length)
    return text
  })
  return { fixed: parts.slice(0, fixed), texts: found }
}

/** Shortens a Discord id to fewer characters. */
export function shortId(id: string | undefined): string {
  return id === undefined || id === '' ? '' : BigInt(id).toString(36)
}

/** Restores a shortened Discord id. Also accepts an id that was stored in full. */
export function longId(short: string | undefined): string | undefined {
  if (!short || !/^[0-9a-z]{1,13}$/.test(short)) return /^\d{15,20}$/.test(short ?? '') ? short : undefined
  return [...short].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n).toString()
}
