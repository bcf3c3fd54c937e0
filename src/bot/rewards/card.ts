import { MAX_REWARD_REASON, type RewardView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { claimButton } from '../claims/buttons.ts'
import { colour, mention, panel, small } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'
import type { Translator } from '../i18n/translator.ts'
import { edge, shareLine } from '../tips/card.ts'
import { decisionButtons } from './buttons.ts'

/** A reward from the pool: paid, or waiting for a second moderator. */
export const rewardRenderer = renderCard({ load: (tipping, record) => tipping.rewards.view(record), draw: drawReward })

function drawReward(reward: RewardView, t: Translator): Drawing {
  const { id, requester, recipient, amount, reason, state, decider, share } = reward
  const names = { from: mention(requester), to: mention(recipient), amount }
  const decided = { who: decider === undefined ? '' : mention(decider) }
  const lines = [
    `> ${quotable(reason, MAX_REWARD_REASON)}`,
    state === 'asked' ? t('reward.asked') : '',
    state === 'denied' ? t('reward.denied', decided) : '',
    state === 'paid' && decider !== undefined ? t('reward.approved', decided) : '',
    share === undefined ? '' : shareLine(share, { from: requester }, t),
  ]
  const colours = { asked: colour.inFlight, denied: colour.over, paid: share ? edge([share]) : colour.done }
  return {
    message: {
      content: t(state === 'paid' ? 'reward.headline' : 'reward.requested', names),
      embeds: [panel(colours[state], lines)],
      notifies: state === 'paid' ? [recipient] : [],
      buttons: [
        ...(state === 'asked' ? decisionButtons(id, t) : []),
        ...(share?.state === 'parked' ? [claimButton(id, t('tip.claimButton'))] : []),
      ],
    },
    ...(state === 'paid'
      ? { bell: { content: small(t('tip.bell', { people: mention(recipient) })), notifies: [recipient] } }
      : {}),
  }
}
