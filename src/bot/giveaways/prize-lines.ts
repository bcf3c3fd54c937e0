import type { GiveawayPrize } from '../../tipping/tipping.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import type { Translator } from '../i18n/translator.ts'
import { mention } from '../messages/panel.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'

/** Above this number, winners are named without the state of each prize. */
const MAX_LISTED = 12

/** For winners without an account anywhere: a button takes their balance here to any wallet. */
export function cashOut(giveaway: string, won: readonly GiveawayPrize[], t: Translator) {
  const stays = won.some(({ state }) => state === 'credited' || state === 'kept')
  return stays ? [cashOutButton(giveaway, t('claim.cashOutButton'))] : []
}

/** Lists the states of the prizes, if they are few enough. */
export function prizeLines(won: readonly GiveawayPrize[], t: Translator): string[] {
  return won.length > MAX_LISTED ? [] : won.map((prize) => prizeLine(prize, t))
}

/** Describes a prize's state in the terms of a tip, as which it is paid. */
export function prizeLine(prize: GiveawayPrize, t: Translator): string {
  const who = mention(prize.member)
  if (prize.state === 'kept') return t('tip.share.kept', { who, why: whyNotSent(prize, t) })
  return t(`tip.share.${prize.state}`, { who })
}
