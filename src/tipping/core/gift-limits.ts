import type { Msats } from '../../lib/money/amount.ts'
import type { Rates } from './rates.ts'
import type { AmountLimits } from './read-amount.ts'

/** Limits on gifts in one place. Undefined: no such limit. */
export interface Limits {
  /** Of one tip, for each recipient. Undefined: the operator's own bounds. */
  readonly smallestTip: Msats | undefined
  readonly largestTip: Msats | undefined
  /** A person's daily limit (UTC), over all their accounts. */
  readonly perDay: Msats | undefined
  /** The same while their Discord account is younger than `newAccountDays`. */
  readonly newAccountPerDay: Msats | undefined
  readonly newAccountDays: number
  /** Pause between two tips of one person. */
  readonly coolDownSeconds: number
}

export const NO_LIMITS: Limits = {
  smallestTip: undefined,
  largestTip: undefined,
  perDay: undefined,
  newAccountPerDay: undefined,
  newAccountDays: 7,
  coolDownSeconds: 0,
}

/** The operator's limits, with what a server chose for itself instead. */
export function limitsOf(
  operators: Limits,
  chosen: { readonly [Name in keyof Limits]: Limits[Name] | undefined },
): Limits {
  return {
    smallestTip: chosen.smallestTip ?? operators.smallestTip,
    largestTip: chosen.largestTip ?? operators.largestTip,
    perDay: chosen.perDay ?? operators.perDay,
    newAccountPerDay: chosen.newAccountPerDay ?? operators.newAccountPerDay,
    newAccountDays: chosen.newAccountDays ?? operators.newAccountDays,
    coolDownSeconds: chosen.coolDownSeconds ?? operators.coolDownSeconds,
  }
}

/** Says what holds in a server: its own settings where it has any, the operator's where it has not. */
export interface LimitsSource {
  /** `guild` is null in a private conversation. */
  limitsFor(guild: string | null): Promise<Limits>
}

/** Bounds of one tip: the server's, within the operator's. */
export function boundsOf(
  {
    settings,
    rates,
  }: { readonly settings: { readonly minAmount: Msats; readonly maxAmount: Msats }; readonly rates: Rates },
  limits: Limits,
): AmountLimits {
  const { smallestTip = settings.minAmount, largestTip = settings.maxAmount } = limits
  return {
    smallest: smallestTip > settings.minAmount ? smallestTip : settings.minAmount,
    largest: largestTip < settings.maxAmount ? largestTip : settings.maxAmount,
    rates,
  }
}
