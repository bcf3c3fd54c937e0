import type { Msats } from '../../lib/money/amount.ts'
import type { Rates } from './rates.ts'
import type { AmountLimits } from './read-amount.ts'

/** The limits on gifts in one server, or in private conversations. A limit that is undefined does not apply. */
export interface Limits {
  /** The smallest tip for each recipient; if undefined, the operator's bound for all amounts applies. */
  readonly smallestTip: Msats | undefined
  readonly largestTip: Msats | undefined
  /** The most that one person can give in a day (UTC), from all their accounts together. */
  readonly perDay: Msats | undefined
  /** The most that a person can give in a day while their Discord account is younger than `newAccountDays`. */
  readonly newAccountPerDay: Msats | undefined
  readonly newAccountDays: number
  /** The shortest pause between two tips of one person. */
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

/** Returns a server's limits: its own choices, and the operator's limits for the rest. */
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

/** The source of servers' limits: a server's own settings, and the operator's for the rest. */
export interface LimitsSource {
  /** Returns the limits of a server. `guild`: null for a private conversation. */
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
