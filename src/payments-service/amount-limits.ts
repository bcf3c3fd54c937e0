import { formatSats, type Msats, sats } from '../lib/amount.ts'
import type { ServiceParts } from './parts.ts'
import { Refusal } from './refusal.ts'

const ONE_SAT = sats(1)

/** Throws Refusal (amount_too_high) for an amount in msats above what the operator allows for one operation. */
export function refuseAboveMaximum({ settings }: Pick<ServiceParts, 'settings'>, ...amounts: readonly Msats[]): void {
  if (amounts.every((amount) => amount <= settings.maxAmount)) return
  throw new Refusal('amount_too_high', `This service moves at most ${formatSats(settings.maxAmount)} sats at once.`)
}

/** Throws Refusal (invalid_amount) for a fraction of a sat where our node moves whole sats only. */
export function refuseFraction({ backend }: Pick<ServiceParts, 'backend'>, amount: Msats): void {
  if (backend.capabilities.msats || amount % ONE_SAT === 0n) return
  throw new Refusal(
    'invalid_amount',
    'The Lightning node of this service moves whole sats only: multiples of 1000 msats.',
  )
}
