import { formatSats, type Msats, sats } from '../../../lib/money/amount.ts'
import type { AmountRange } from '../../backends/backend.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { NodeParts } from './node-parts.ts'

const ONE_SAT = sats(1)

/** Throws ServiceRefusal (amount_too_high) for an amount in msats above the operator's limit for one operation. */
export function refuseAboveMaximum({ settings }: Pick<NodeParts, 'settings'>, ...amounts: readonly Msats[]): void {
  if (amounts.every((amount) => amount <= settings.maxAmount)) return
  throw new ServiceRefusal(
    'amount_too_high',
    `The largest amount here is ${formatSats(settings.maxAmount)} sats.`,
    {},
    settings.maxAmount,
  )
}

/** Throws ServiceRefusal (invalid_amount) for a fraction of a sat if our node moves only whole sats. */
export function refuseFraction({ backend }: Pick<NodeParts, 'backend'>, amount: Msats): void {
  if (backend.capabilities.msats || amount % ONE_SAT === 0n) return
  throw new ServiceRefusal(
    'invalid_amount',
    'The Lightning node of this service moves only whole sats, so the amount must be a multiple of 1000 msats.',
  )
}

/** Throws ServiceRefusal (amount_too_low, amount_too_high) for an amount that our node cannot send. */
export function refuseUnsendable({ backend }: Pick<NodeParts, 'backend'>, amount: Msats): void {
  refuseOutside(backend.capabilities.sendable, amount, 'send')
}

/** Throws ServiceRefusal (amount_too_low, amount_too_high) for an amount that our node cannot receive. */
export function refuseUnreceivable({ backend }: Pick<NodeParts, 'backend'>, amount: Msats): void {
  refuseOutside(backend.capabilities.receivable, amount, 'receive')
}

function refuseOutside({ smallest, largest }: AmountRange, amount: Msats, verb: string): void {
  const node = `The Lightning node of this service cannot ${verb}`
  if (amount < smallest) {
    const sentence = `${node} less than ${formatSats(smallest)} sats in one payment.`
    throw new ServiceRefusal('amount_too_low', sentence, {}, smallest)
  }
  if (largest !== undefined && amount > largest) {
    const sentence = `${node} more than ${formatSats(largest)} sats in one payment.`
    throw new ServiceRefusal('amount_too_high', sentence, {}, largest)
  }
}
