import type { ForeseenTip } from '../../tipping/tipping.ts'
import type { Message } from '../discord/message.ts'
import type { Translator } from '../i18n/translator.ts'
import { drawTip } from '../tips/card.ts'
import { drawRain } from './card.ts'

/** A tip or a rain that is not given yet, as it will be drawn. */
export function drawForeseen({ kind, ...tip }: ForeseenTip, t: Translator): Message {
  return (kind === 'rain' ? drawRain : drawTip)({ ...tip, id: '', card: '', fromPool: false }, t).message
}
