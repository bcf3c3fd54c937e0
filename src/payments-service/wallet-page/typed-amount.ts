import { HttpProblem } from '../../lib/http/http-problem.ts'
import { floorToSat, formatSats, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { type AmountFault, parseAmountText } from '../../lib/money/amount-text.ts'

/** What `all` and `half` come to where an amount is asked for. */
export interface Available {
  readonly balance: Msats
  /** The largest amount that can be sent with its fee limit still covered. */
  readonly largest: Msats
}

const EXAMPLES = 'Type it as 500, 1,000, 2.5k or 0.001 btc.'

const FAULTS: Readonly<Record<AmountFault, string>> = {
  empty: `Say how much. ${EXAMPLES}`,
  'not-a-number': `This is not an amount. ${EXAMPLES}`,
  zero: 'The amount must be more than zero.',
  negative: 'The amount must be more than zero: leave the minus out.',
  'fraction-of-msat': 'This is less than the smallest unit there is. Leave out the last digits.',
  'too-large': 'This is more bitcoin than there will ever be. Check the zeros.',
  ambiguous: 'This could be read as two different amounts. Type whole sats, such as 1000 or 1,000.',
}

/**
 * Reads an amount as a person typed it. `available` is undefined where `all` and `half` have no meaning. Throws
 * HttpProblem with words for the person.
 */
export function readTypedAmount(text: string, available: Available | undefined): Msats {
  const typed = parseAmountText(text)
  switch (typed.kind) {
    case 'msats':
      return typed.amount
    case 'all':
    case 'half':
      return partOf(typed.kind, available)
    case 'fiat':
      throw problem('No exchange rate is known here. Type the amount in sats, such as 500.')
    case 'invalid':
      throw problem(FAULTS[typed.reason])
  }
}

/** Refuses less than Lightning can carry, which is one sat. */
export function refuseBelowOneSat(amount: Msats): void {
  if (amount < sats(1)) throw problem(`Lightning carries 1 sat or more; this is ${formatSats(amount)}.`)
}

function partOf(word: 'all' | 'half', available: Available | undefined): Msats {
  if (available === undefined) throw problem(`"${word}" does not say how much here. ${EXAMPLES}`)
  const { balance, largest } = available
  const half = floorToSat(msats(balance / 2n))
  const amount = word === 'all' || half > largest ? largest : half
  if (amount === 0n) {
    throw problem(`Your wallet holds ${formatSats(balance)} sats, too little to send after fees. Receive some first.`)
  }
  return amount
}

function problem(message: string): HttpProblem {
  return new HttpProblem(400, 'invalid_amount', message)
}
