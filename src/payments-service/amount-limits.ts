import { formatSats, type Msats } from '../lib/amount.ts'
import type { ServiceParts } from './parts.ts'
import { Refusal } from './refusal.ts'

/** Throws Refusal (amount_too_high) for an amount in msats above what the operator allows for one operation. */
export function refuseAboveMaximum({ settings }: Pick<ServiceParts, 'settings'>, ...amounts: readonly Msats[]): void {
  if (amounts.every((amount) => amount <= settings.maxAmount)) return
  throw new Refusal('amount_too_high', `This service moves at most ${formatSats(settings.maxAmount)} sats at once.`)
}
