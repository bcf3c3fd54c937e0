import type { ForeseenTip, Origin } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import { drawTip } from '../tips/card.ts'
import { drawRain } from './card.ts'

/** A tip or a rain that is not given yet, as it will be drawn. `isWhole`: nothing of it changes when it is given. */
export function drawForeseen(
  { kind, ...tip }: ForeseenTip,
  { interaction: key, guild }: Origin,
  t: Translator,
): { readonly message: Message; readonly isWhole: boolean } {
  const isOfWallet = tip.shares.some(({ state }) => state === 'asked')
  const canJoin = kind === 'tip' && guild !== null && !isOfWallet
  const join = canJoin ? { key, people: 0, total: tip.total } : undefined
  const { message } = (kind === 'rain' ? drawRain : drawTip)({ ...tip, id: '', card: '', fromPool: false, join }, t)
  // A tip named only by its record, as in a button to claim it, is not known yet.
  const isKnown = ({ state }: ForeseenTip['shares'][number]) =>
    state === 'credited' || (state === 'parked' && join !== undefined)
  return { message, isWhole: tip.shares.every(isKnown) }
}
