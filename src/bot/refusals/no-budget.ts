import type { Translator } from '../i18n/translator.ts'

/** Returns what somebody without a budget does next. Managers give one to a role of theirs; others ask a manager. */
export function noBudget({ manager }: { readonly manager: boolean }, t: Translator): string {
  return t(manager ? 'pool.ownBudget' : 'refusals.budget-none')
}
