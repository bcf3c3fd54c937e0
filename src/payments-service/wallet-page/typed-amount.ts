import { floorToSat, type Msats, sats } from '../../lib/money/amount.ts'
import { type AmountFault, parseAmountText, partOfBalance } from '../../lib/money/amount-text.ts'
import type { PriceSource } from '../../lib/prices/price-source.ts'
import { type Say, WalletProblem } from './problems.ts'

/** The balance to which `all` and parts of it refer in an amount field. */
export interface Available {
  readonly balance: Msats
  /** The largest amount that leaves room for its fee limit. */
  readonly largest: Msats
}

/** The faults whose messages show examples of readable amounts. */
const WITH_EXAMPLES: readonly AmountFault[] = ['empty', 'not-a-number', 'words']

/**
 * Reads an amount as a person typed it. Converts other currencies at today's price; the result must be at least one
 * sat. `available` is undefined where a part of a balance has no meaning. Throws WalletProblem with a text for the
 * person.
 */
export function readTypedAmount(prices: PriceSource, text: string, available: Available | undefined): Msats {
  const typed = parseAmountText(text)
  switch (typed.kind) {
    case 'msats':
      return typed.amount
    case 'all':
    case 'part':
      return partOf(text, available)
    case 'fiat': {
      const amount = prices.toMsats(typed.currency, typed.value)
      if (amount === undefined) throw problem((t) => t('amount.no-rate'))
      refuseBelowOneSat(amount)
      return amount
    }
    case 'invalid':
      throw faulty(typed.reason, text)
  }
}

/** Refuses an amount below one sat, which is the minimum of every payment here. */
export function refuseBelowOneSat(amount: Msats): void {
  if (amount < sats(1)) throw problem((t, unit) => t('amount.too-small', { amount: t.amount(amount, unit) }))
}

function partOf(word: string, available: Available | undefined): Msats {
  if (available === undefined) throw problem((t) => `${t('amount.no-part', { word })} ${t('amount.examples')}`)
  const { balance, largest } = available
  const part = partOfBalance(word, balance) ?? balance
  const amount = part > largest ? largest : part
  if (amount === 0n) {
    throw problem((t, unit) => t('amount.nothing', { balance: t.amount(floorToSat(balance), unit) }))
  }
  return amount
}

function faulty(fault: AmountFault, word: string): WalletProblem {
  if (fault === 'more-than-all') return problem((t) => t('amount.more-than-all', { word }))
  return problem((t) =>
    [t(`amount.${fault === 'words' ? 'not-a-number' : fault}`), WITH_EXAMPLES.includes(fault) && t('amount.examples')]
      .filter(Boolean)
      .join(' '),
  )
}

function problem(say: Say): WalletProblem {
  return new WalletProblem(400, 'invalid_amount', say)
}
