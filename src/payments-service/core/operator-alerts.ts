import type { Logger } from '../../lib/logger.ts'

/** What operators must know of the service. */
export interface OperatorAlert {
  /** A name from a closed set, which log lines carry as `alert`. docs/LIGHTNING-NODES.md lists them. */
  readonly alert: 'node_away' | 'node_back' | 'low_liquidity' | 'node_short' | 'node_disagrees'
  /** Whole sentences: what is wrong, and what to do. */
  readonly text: string
  /** For the log. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export type TellOperators = (alert: OperatorAlert) => void

/** Tells operators with a line in the log, and tells every other listener. */
export function createTellOperators(logger: Logger, listener?: TellOperators): TellOperators {
  return (told) => {
    const level = told.alert === 'node_back' ? 'warn' : 'error'
    logger[level]({ alert: told.alert, ...told.fields }, told.text)
    listener?.(told)
  }
}
