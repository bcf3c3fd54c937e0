import { utcMinute } from '../../lib/utc-minute.ts'
import type { TippingRefusal } from '../../tipping/tipping.ts'
import { createTranslators } from '../i18n/translator.ts'
import { refusalText } from './refusal-text.ts'

/** A refusal in English for a page outside of Discord, without Discord's marks. */
export function refusalInWords(refusal: TippingRefusal, testMoney: boolean): string {
  return withoutMarks(refusalText(refusal, createTranslators(() => testMoney)('en')))
}

/** A text outside of Discord, without Discord's marks. */
export function withoutMarks(text: string): string {
  return text
    .replace(/<t:(\d+):\w>/g, (_, seconds) => utcMinute(new Date(Number(seconds) * 1_000)))
    .replace(/<@!?(\d+)>/g, '@$1')
    .replace(/<\/([^:>]+):\d+>/g, '/$1')
    .replace(/\*\*|`/g, '')
    .replace(/\\([^\w\s])/g, '$1')
}
