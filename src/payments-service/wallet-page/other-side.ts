import type { InvalidLnurl } from '../../lib/lightning/lnurl.ts'
import type { LnurlProblem } from '../../lib/lightning/lnurl-client.ts'
import type { Unit } from '../machines/node/unit.ts'
import type { Say } from './problems.ts'
import type { Key, Translator } from './translator.ts'

/** Why a code or an address cannot be read. In English the reader of codes says it in more detail. */
export function unreadable({ message }: InvalidLnurl): Say {
  return (t) => (t.code === 'en' ? message : t('pay.bad-code'))
}

/** What the other side said, as its own words; `otherwise` where it said nothing that a person could use. */
export function saidBy(t: Translator, { said, message }: LnurlProblem, otherwise: Key): string {
  if (said !== undefined && said !== '') return t('pay.says', { words: said.trim().replace(/\.$/, '') })
  return t.code === 'en' ? message : t(otherwise)
}

/** Two amounts in msats as a range; one where they are the same. */
export function rangeIn(t: Translator, least: bigint, most: bigint, unit: Unit): string {
  if (least === most) return t.amount(most, unit)
  return t('claim.range', { least: t.figure(least), most: t.amount(most, unit) })
}
