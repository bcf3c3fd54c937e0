import type { Judge } from './judge.ts'
import { judgePayouts, type Onward } from './payouts.ts'
import type { Shown } from './shown.ts'

/** Judges the ends of everything by what people are shown in the end. Returns what is wrong, as sentences. */
export function lastJudgement(judge: Judge, shown: Shown): string[] {
  judgePayouts(onwardOf(judge, shown), { ...judge, end: judge.now() })
  return judge.faults.found
}

/** Everything that became somebody's and may have gone on to their gamertag wallet. */
function onwardOf(judge: Judge, shown: Shown): Onward[] {
  const waited = ['parked', 'claimed', 'returned']
  const tips = shown.tips.flatMap(({ id, shares }) =>
    shares
      .filter(({ state }) => !waited.includes(state))
      .map((share) => onward(`the tip ${id}`, share.recipient, share.amount, judge.shown.tips.get(id), share)),
  )
  const claims = shown.claims.map((claim) =>
    onward(`the claim ${claim.id}`, claim.member, claim.amount, judge.shown.claims.get(claim.id), claim),
  )
  const shares = shown.dropClaims
    .filter(({ chance, code }) => chance === 'given' && !code)
    .map((share) => {
      const span = share.drawn ? undefined : judge.shown.dropClaims.get(share.id)
      return onward(`a share of the drop ${share.drop}`, share.member, share.amount, span, share)
    })
  const prizes = shown.giveaways.flatMap(({ id, prize, won }) =>
    won.map((win) => onward(`a prize of the giveaway ${id}`, win.member, prize, undefined, win)),
  )
  const rewards = shown.rewards.flatMap(({ id, share }) =>
    share === undefined || waited.includes(share.state)
      ? []
      : [onward(`the reward ${id}`, share.recipient, share.amount, judge.shown.rewards.get(id), share)],
  )
  return [...tips, ...claims, ...shares, ...prizes, ...rewards]
}

function onward(
  what: string,
  member: string,
  amount: bigint,
  span: Onward['span'],
  { state, because, transactionId }: Pick<Onward, 'state'> & Partial<Onward>,
): Onward {
  return { what, member, amount, span, state, because, transactionId }
}
