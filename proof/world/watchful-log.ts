import { createLogger, type Logger } from '../../src/lib/logger.ts'
import type { Life } from './crashing-database.ts'
import { NODE_BROKE } from './faulty-node.ts'
import type { Trace } from './trace.ts'

/** The fields that matter here of a log line at level error or above. */
export interface Complaint {
  readonly msg: string
  readonly alert?: string
  readonly reason?: string
  readonly err?: { readonly message: string; readonly stack?: string }
}

/** Tests for complaints about faults that this simulation itself causes, which are therefore right. */
const MEANT: Readonly<Record<'bot' | 'service', readonly ((complaint: Complaint) => boolean)[]>> = {
  service: [
    // The weather makes the node overcharge.
    ({ alert }) => alert === 'fee_over_limit',
    // The weather makes payments hang for longer than the ten minutes after which the service alerts operators.
    ({ alert }) => alert === 'payment_unknown',
    // An external wallet pays what somebody else pays inside the books at the same moment; nothing else may be
    // unclaimed.
    ({ alert, reason }) => alert === 'unclaimed_receipt' && reason === 'second settlement',
    // The moody node breaks its stream of settlements.
    ({ msg, err }) => msg.startsWith('settlements cannot be credited') && err?.message === NODE_BROKE,
    // The same happens while the service starts and asks for the node's identity.
    ({ alert, err }) => alert === 'node_away' && err?.message === NODE_BROKE,
    // Clocks are set, also while the service is down: operators are alerted to a start with a wrong clock.
    ({ alert }) => alert === 'clock',
  ],
  bot: [
    // Users take names that others have just left, even while a payout to such a name is in flight.
    ({ alert }) => alert === 'payout-misdirected',
    // Answers get lost, the service stays down and clocks are set forward: after an hour, operators are alerted to
    // each.
    ({ alert }) => alert === 'payout-unknown' || alert === 'withdrawal-unknown' || alert === 'redemption-unknown',
    ({ alert }) => alert === 'voucher-unknown' || alert === 'revocation-unknown',
    // Clocks are set, also while the bot is down: operators are alerted to a start with a wrong clock.
    ({ alert }) => alert === 'clock',
    // Operators are told about operators' actions: final decisions, pauses and their ends.
    ({ alert }) => alert === 'decision-proposed' || alert === 'decision-done',
    ({ alert }) => alert === 'paused' || alert === 'resumed',
  ],
}

export interface WatchfulLogParts {
  readonly side: 'bot' | 'service'
  /** The life of the process that logs; output after its end does not count. */
  readonly life: Life
  readonly trace: Trace
  readonly onComplaint: (what: string) => void
  /** Returns whether a fault of this particular world excuses the complaint, besides the faults of every world. */
  readonly isExcused?: (side: 'bot' | 'service', complaint: Complaint) => boolean
}

/**
 * Returns the log of a simulated process: every line at level error or above is a complaint, unless the simulation
 * caused it. Failures in the background, for which nobody waits, are thus found, too.
 */
export function watchfulLog({ side, life, trace, onComplaint, isExcused }: WatchfulLogParts): Logger {
  const write = (line: string) => {
    if (life.over) return
    const complaint = JSON.parse(line) as Complaint
    trace.note(`${side}: complains ${complaint.alert ?? ''} ${complaint.msg}`)
    if (isMeant(side, complaint) || isExcused?.(side, complaint)) return
    // The machine's own time is not part of this world, whose traces are compared.
    const said = line.trim().replace(/"time":"[^"]*",/, '')
    onComplaint(`the ${side} complains: ${said}: ${complaint.err?.stack ?? 'no error'}`)
  }
  return createLogger({ level: 'error', name: side, destination: { write } })
}

/** Returns whether a side may make this complaint in every world. */
export function isMeant(side: 'bot' | 'service', complaint: Complaint): boolean {
  return MEANT[side].some((covers) => covers(complaint))
}
