import type { Faults } from './faults.ts'
import type { Onward } from './onward.ts'
import type { ShownWithdrawal } from './shown.ts'
import { FORWARDED, type Withdrawals } from './withdrawals.ts'

/**
 * What went on to a member's Lightning Address by itself, with what that cost, is no more than what they were given since they
 * first said where to: what they paid in, or had before, stays.
 */
export function judgeForwarded(
  { typed, forwardedSince }: Pick<Withdrawals, 'typed' | 'forwardedSince'>,
  shown: readonly ShownWithdrawal[],
  onward: readonly Onward[],
  faults: Faults,
): void {
  for (const [member, since] of forwardedSince) {
    const went = shown.filter(({ id, state }) => {
      const about = typed.get(id)
      return about?.amount === FORWARDED && about.member === member && state === 'paid'
    })
    const got = onward.filter(
      (gift) =>
        gift.member === member &&
        gift.state !== 'paid' &&
        (gift.span === undefined || gift.span.to.order > since.order),
    )
    const out = went.reduce((sum, { amount, fee = 0n }) => sum + amount + fee, 0n)
    const most = got.reduce((sum, { amount }) => sum + amount, 0n)
    faults.expect(
      out <= most,
      () => `${out} msats went on to the address of ${member}, who was given ${most} since they said it`,
    )
  }
}
