import type { Tipping } from '../../tipping/tipping.ts'
import en from '../i18n/en.json' with { type: 'json' }
import type { Key, Translator } from '../i18n/translator.ts'
import { isDrawable } from './fonts.ts'

/**
 * Returns a title with the unit of the picture's sums, in the reader's language if the fonts cover its letters.
 * Otherwise, the unit is in English, or, if necessary, the whole title.
 */
export function drawnTitle(
  key: Extract<Key, `${string}.picture.${string}`>,
  t: Translator,
  { testMoney }: Pick<Tipping, 'testMoney'>,
): string {
  const unit = testMoney ? 'units.plainTest' : 'units.plain'
  const foreign = english(key).replace('{{unit}}', english(unit))
  return [t(unit), english(unit)].map((each) => t(key, { unit: each })).find(isDrawable) ?? foreign
}

function english(key: Key): string {
  return String(key.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], en))
}
