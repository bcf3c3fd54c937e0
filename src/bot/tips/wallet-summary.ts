import type { TipShare } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { mention } from '../messages/panel.ts'
import { WALLET_STATES } from '../messages/wallet-state.ts'

/** The most people who are named; any others are only counted. */
const MAX_NAMED = 20

/** Describes payments from one wallet to many people: a line for each state, with its people. */
export function walletSummary(shares: readonly Pick<TipShare, 'recipient' | 'state'>[], t: Translator): string[] {
  return WALLET_STATES.flatMap((state) => {
    const people = shares.filter((share) => share.state === state).map(({ recipient }) => mention(recipient))
    return people.length === 0 ? [] : t(`tip.summary.${state}`, { people: named(people, t) })
  })
}

function named(people: readonly string[], t: Translator): string {
  const more = people.length - MAX_NAMED
  return t.list(more > 0 ? [...people.slice(0, MAX_NAMED), t('tip.people', { count: more })] : people)
}
