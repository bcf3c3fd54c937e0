import { createLogger, type Logger } from '../../src/lib/logger.ts'
import type { Life } from './crashing-database.ts'
import { NODE_BROKE } from './faulty-node.ts'
import type { Trace } from './trace.ts'

/** The part of a line at level error or above that counts here. */
export interface Complaint {
  readonly msg: string
  readonly alert?: string
  readonly reason?: string
  readonly err?: { readonly message: string; readonly stack?: string }
}

/** Faults that this simulation itself causes, so that a process rightly complains of them. */
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
  /** The process that logs; its output after its death does not count. */
  readonly life: Life
  readonly trace: Trace
  readonly onComplaint: (what: string) => void
  /** Whether a fault of this world, besides everybody's weather, excuses the complaint. */
  readonly isExcused?: (side: 'bot' | 'service', complaint: Complaint) => boolean
}

/**
 * The log of a simulated process: every line at level error or above is a complaint, unless this world caused it. So
 * background failures that nobody waits for are found, too.
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

/** Whether a side of this world may make this complaint. */
export function isMeant(side: 'bot' | 'service', complaint: Complaint): boolean {
  return MEANT[side].some((covers) => covers(complaint))
}
