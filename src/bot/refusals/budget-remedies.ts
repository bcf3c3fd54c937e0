import type { Translator } from '../i18n/translator.ts'

/** The reader of a text about budgets. Only people who manage the server can set budgets. */
export interface BudgetReader {
  readonly manager: boolean
}

/**
 * Returns what somebody without a budget can do next. Managers can give a budget to one of their roles; others can ask
 * a manager.
 */
export function noBudget({ manager }: BudgetReader, t: Translator): string {
  return t(manager ? 'pool.ownBudget' : 'refusals.budget-none')
}

/**
 * Returns what somebody whose budget is too small can do next. Managers can raise the budget; others can ask a manager.
 */
export function toRaiseBudget({ manager }: BudgetReader, t: Translator): string {
  return t(manager ? 'spending.raise' : 'spending.askToRaise')
}
