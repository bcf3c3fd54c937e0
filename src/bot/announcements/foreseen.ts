import type { ForeseenTip, Origin, RewardView, TipView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import { drawRain } from '../rain/card.ts'
import { drawReward } from '../rewards/card.ts'
import { drawTip } from '../tips/card.ts'

/** Draws a gift that has not been given yet. `isWhole` is true if giving the gift will not change the message. */
export function drawForeseen(
  tip: ForeseenTip,
  { interaction: key, guild }: Origin,
  t: Translator,
): { readonly message: Message; readonly isWhole: boolean } {
  const isOfWallet = tip.shares.some(({ state }) => state === 'asked')
  const canJoin = tip.kind === 'tip' && guild !== null && !isOfWallet && !tip.fromPool
  const about = { id: '', key, card: '' }
  const join = canJoin ? { people: 0, total: tip.total } : undefined
  return {
    message: draw(tip, { ...about, join, guild: guild ?? '' }, t),
    isWhole: tip.shares.every(({ state }) => state === 'credited' || state === 'parked'),
  }
}

function draw(
  { kind, ...tip }: ForeseenTip,
  { join, guild, ...about }: Pick<TipView, 'id' | 'key' | 'card' | 'join'> & Pick<RewardView, 'guild'>,
  t: Translator,
): Message {
  if (kind === 'reward') return drawReward({ ...about, guild, ...asReward(tip) }, t).message
  return (kind === 'rain' ? drawRain : drawTip)({ ...about, ...tip, join }, t).message
}

function asReward({
  from,
  note,
  total,
  shares,
}: Omit<ForeseenTip, 'kind'>): Omit<RewardView, 'id' | 'key' | 'card' | 'guild'> {
  const [share] = shares
  const recipient = share?.recipient ?? ''
  return {
    ...{ kind: 'reward', requester: from, recipient, recipients: [recipient], amount: total, reason: note, share },
    ...{ state: 'paid', fromWallet: false, record: undefined, decider: undefined },
    ...{ rule: undefined, apiKey: undefined, lines: undefined },
  }
}
