import type { Msats } from '../../lib/money/amount.ts'
import type { Rates } from './rates.ts'
import type { AmountLimits } from './read-amount.ts'

/** The limits on gifts in one place. Undefined: no such limit. */
export interface Limits {
  /** The smallest tip for each recipient. Undefined: the operator's own bound. */
  readonly smallestTip: Msats | undefined
  readonly largestTip: Msats | undefined
  /** The daily limit of one person (UTC), from all their accounts together. */
  readonly perDay: Msats | undefined
  /** The same limit while their Discord account is younger than `newAccountDays`. */
  readonly newAccountPerDay: Msats | undefined
  readonly newAccountDays: number
  /** The pause between two tips of one person. */
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

/** Returns the operator's limits, with a server's own choices in their place. */
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

/** Returns a server's limits: its own settings, and the operator's for the rest. */
export interface LimitsSource {
  /** `guild` is null in a private conversation. */
  limitsFor(guild: string | null): Promise<Limits>
}

/** Returns the bounds of one tip: the server's, within the operator's. */
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
