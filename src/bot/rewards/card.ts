import { ceilToSat, type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { type ListOutcome, MAX_REWARD_REASON, type RewardView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { claimButton } from '../claims/buttons.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, mention, panel, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { edge, shareLine } from '../tips/card.ts'
import { decisionButtons } from './buttons.ts'
import { listFileButton } from './list-command.ts'

/** Shows a reward from the pool: paid, or waiting for a second moderator. */
export const rewardRenderer = renderCard({
  load: (tipping, record) => tipping.rewards.view(record),
  draw: drawReward,
  // A list's payouts end one by one.
  restMs: 1_500,
})

export function drawReward(reward: RewardView, t: Translator): Drawing {
  const { id, kind, requester, recipient, reason, state, decider, share, lines: list, rule, apiKey } = reward
  // Other payments from a pool have their own cards.
  const isPaid = state === 'paid' && kind === 'reward'
  const decided = { who: decider === undefined ? '' : mention(decider) }
  const lines = [
    `> ${quotable(reason, MAX_REWARD_REASON)}`,
    rule === undefined ? '' : small(t('reward.byRule', { who: mention(requester) })),
    apiKey === undefined
      ? ''
      : small(t('reward.byApiKey', { who: mention(requester), name: quotable(apiKey, apiKey.length) })),
    state === 'asked' ? t(reward.fromWallet ? 'reward.askedWallet' : 'reward.asked') : '',
    state === 'denied' ? t(reward.fromWallet ? 'reward.deniedWallet' : 'reward.denied', decided) : '',
    state === 'paid' && decider !== undefined ? t('reward.approved', decided) : '',
    share === undefined ? '' : shareLine(share, { from: requester, fromPool: true }, t),
    ...(list === undefined ? [] : progressOfList(list, t)),
  ]
  const colours = { asked: colour.inFlight, denied: colour.over, paid: share ? edge([share]) : colour.done }
  return {
    message: {
      content: headline(reward, t),
      embeds: [panel(colours[state], lines)],
      notifies: isPaid ? [recipient] : [],
      buttons: [
        ...(state === 'asked' ? decisionButtons(id, t) : []),
        ...(list === undefined ? [] : [listFileButton(id, t)]),
        ...(share?.state === 'parked' || list?.some((line) => line.state === 'parked')
          ? [claimButton(reward.key, t('tip.claimButton'))]
          : []),
      ],
    },
    ...(isPaid
      ? { bell: { content: small(t('tip.bell', { people: mention(recipient) })), notifies: [recipient] } }
      : {}),
  }
}

/**
 * The most people who are named; if there are more, they are only counted. Addresses are never named, only counted,
 * because the card is public.
 */
const MAX_NAMED = 12

function headline(reward: RewardView, t: Translator): string {
  const { kind, requester, recipient, recipients, state, rule, apiKey, lines } = reward
  const amount = lines === undefined ? reward.amount : sumOf(lines.map((line) => line.amount))
  const from = mention(requester)
  if (kind === 'reward') {
    const isByProgram = rule !== undefined || apiKey !== undefined
    const paid = isByProgram ? 'reward.ruleHeadline' : 'reward.headline'
    return t(state === 'paid' ? paid : 'reward.requested', { from, to: mention(recipient), amount })
  }
  const to =
    recipients.length > MAX_NAMED || lines?.some(({ address }) => address !== undefined)
      ? t('tip.people', { count: recipients.length })
      : t.list(recipients.map(mention))
  if (kind === 'list' && state === 'paid') return t('reward.list', { from, to, amount })
  return t(`reward.wants.${kind}`, { from, to, amount })
}

const STATES = ['paid', 'claimed', 'credited', 'kept', 'parked', 'sending', 'unknown', 'returned'] as const

/** Shows how many of a paid list's lines are in each state, and the fees of its payments to Lightning Addresses. */
function progressOfList(list: readonly ListOutcome[], t: Translator): string[] {
  const peopleOf = (lines: readonly ListOutcome[]) => t('tip.people', { count: lines.length })
  const waiting = list.filter(({ paused }) => paused)
  const back = list.filter(({ state, address }) => state === 'returned' && address !== undefined)
  const others = list.filter((line) => !waiting.includes(line) && !back.includes(line))
  const fees = sumOf(list.map(({ fee }) => fee ?? ZERO))
  return [
    ...STATES.flatMap((state) => {
      const lines = others.filter((line) => line.state === state)
      if (lines.length === 0) return []
      return state === 'returned'
        ? t('pool.shareReturned', { who: peopleOf(lines) })
        : t(`tip.summary.${state}`, { people: peopleOf(lines), from: '' })
    }),
    waiting.length === 0 ? '' : t('list.paused', { people: peopleOf(waiting) }),
    back.length === 0 ? '' : t('list.back', { people: peopleOf(back) }),
    fees === 0n ? '' : small(t('list.fees', { fees: ceilToSat(fees) })),
  ]
}

function sumOf(amounts: readonly Msats[]): Msats {
  return msats(amounts.reduce((sum: bigint, amount) => sum + amount, 0n))
}
