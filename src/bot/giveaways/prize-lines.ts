import type { GiveawayPrize } from '../../tipping/tipping.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import type { Translator } from '../i18n/translator.ts'
import { mention } from '../messages/panel.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'

/** The most prizes whose states are listed. If there are more, the winners are only named. */
const MAX_LISTED = 12

/** Returns the button with which winners withdraw their balance to any wallet, if any prize went to a balance. */
export function cashOut(giveaway: string, won: readonly GiveawayPrize[], t: Translator) {
  const stays = won.some(({ state }) => state === 'credited' || state === 'kept')
  return stays ? [cashOutButton(giveaway, t('claim.cashOutButton'))] : []
}

/** Lists the states of the prizes, unless there are too many prizes. */
export function prizeLines(won: readonly GiveawayPrize[], t: Translator): string[] {
  return won.length > MAX_LISTED ? [] : won.map((prize) => prizeLine(prize, t))
}

/** Describes a prize's state with a tip's texts, because prizes are paid as tips. */
export function prizeLine(prize: GiveawayPrize, t: Translator): string {
  const who = mention(prize.member)
  if (prize.state === 'kept') return t('tip.share.kept', { who, why: whyNotSent(prize, t) })
  return t(`tip.share.${prize.state}`, { who })
}
