import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'

/** What operators must know of the service. */
export interface OperatorAlert {
  /** A name from a closed set, which log lines carry as `alert`. docs/LIGHTNING-NODES.md lists them. */
  readonly alert:
    | 'node_away'
    | 'node_back'
    | 'low_liquidity'
    | 'node_short'
    | 'node_disagrees'
    | 'unclaimed_receipt'
    | 'suspense_given'
  /** Whole sentences: what is wrong, and what to do. */
  readonly text: string
  /** For the log. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export type TellOperators = (alert: OperatorAlert) => void

/** Strangers bring these about, as often as they like: the log has each, other listeners hear of one an hour. */
const TOLD_HOURLY: ReadonlySet<OperatorAlert['alert']> = new Set(['unclaimed_receipt'])
const HOUR_MS = 3_600_000
const WARNINGS: ReadonlySet<OperatorAlert['alert']> = new Set(['node_back', 'suspense_given'])

/** Tells operators with a line in the log, and tells every other listener. */
export function createTellOperators(
  { logger, clock }: { readonly logger: Logger; readonly clock: Pick<Clock, 'monotonic'> },
  listener?: TellOperators,
): TellOperators {
  const heardAt = new Map<OperatorAlert['alert'], number>()
  return (told) => {
    logger[WARNINGS.has(told.alert) ? 'warn' : 'error']({ alert: told.alert, ...told.fields }, told.text)
    const now = clock.monotonic()
    if (TOLD_HOURLY.has(told.alert) && now - (heardAt.get(told.alert) ?? -HOUR_MS) < HOUR_MS) return
    heardAt.set(told.alert, now)
    listener?.(told)
  }
}
