import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'

/** An alert from the service to its operators. */
export interface OperatorAlert {
  /** The alert's name, which log lines contain as `alert`. docs/LIGHTNING-NODES.md lists all names. */
  readonly alert:
    | 'node_away'
    | 'node_back'
    | 'low_liquidity'
    | 'node_short'
    | 'node_disagrees'
    | 'unclaimed_receipt'
    | 'suspense_given'
    | 'no_liquidity'
    | 'fee_over_limit'
    | 'short_settlement'
    | 'settlement_changed'
    | 'settlement_stuck'
    | 'odd_record'
    | 'invoice_gone'
    | 'wrong_preimage'
    | 'payment_unknown'
    | 'payment_decided'
    | 'contradicting_outcome'
  /** The text in whole sentences: what is wrong, and what to do. */
  readonly text: string
  /** Further fields for the log. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export type TellOperators = (alert: OperatorAlert) => void

/** The alerts that are sent individually because they are rare. */
const TOLD_EACH: ReadonlySet<OperatorAlert['alert']> = new Set([
  'node_away',
  'node_back',
  'low_liquidity',
  'node_short',
  'node_disagrees',
  'suspense_given',
  'payment_decided',
])
const HOUR_MS = 3_600_000
const WARNINGS: ReadonlySet<OperatorAlert['alert']> = new Set(['node_back', 'suspense_given', 'payment_decided'])

/**
 * Returns a function that alerts operators by a log line and through `listener`. Strangers and a faulty node can cause
 * most alerts at will, so the log gets every alert, but the listener gets only one of each such kind per hour.
 */
export function createTellOperators(
  { logger, clock }: { readonly logger: Logger; readonly clock: Pick<Clock, 'monotonic'> },
  listener?: TellOperators,
): TellOperators {
  const heardAt = new Map<OperatorAlert['alert'], number>()
  return (told) => {
    logger[WARNINGS.has(told.alert) ? 'warn' : 'error']({ alert: told.alert, ...told.fields }, told.text)
    const now = clock.monotonic()
    if (!TOLD_EACH.has(told.alert) && now - (heardAt.get(told.alert) ?? -HOUR_MS) < HOUR_MS) return
    heardAt.set(told.alert, now)
    listener?.(told)
  }
}
