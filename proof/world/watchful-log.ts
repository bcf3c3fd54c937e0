import { createLogger, type Logger } from '../../src/lib/logger.ts'
import type { Life } from './crashing-database.ts'
import { NODE_BROKE } from './faulty-node.ts'
import type { Trace } from './trace.ts'

/** The part of a line of level error or worse that counts here. */
export interface Complaint {
  readonly msg: string
  readonly alert?: string
  readonly reason?: string
  readonly err?: { readonly message: string; readonly stack?: string }
}

/** Faults that this simulation itself brings about, so that a process that meets them does right to complain. */
const MEANT: Readonly<Record<'bot' | 'service', readonly ((complaint: Complaint) => boolean)[]>> = {
  service: [
    // The weather has the node overcharge.
    ({ alert }) => alert === 'fee_over_limit',
    // The weather has payments hang for longer than the ten minutes after which the service calls for operators.
    ({ alert }) => alert === 'payment_unknown',
    // A wallet out there pays what somebody else has paid inside the books at the same moment; nothing else may be
    // unclaimed.
    ({ alert, reason }) => alert === 'unclaimed_receipt' && reason === 'second settlement',
    // The moody node breaks its stream of settlements.
    ({ msg, err }) => msg.startsWith('settlements cannot be credited') && err?.message === NODE_BROKE,
    // The same while the service starts and asks the node who it is.
    ({ alert, err }) => alert === 'node_away' && err?.message === NODE_BROKE,
    // Clocks are set, also while the service is down: a start at which its clock stands wrong is told to operators.
    ({ alert }) => alert === 'clock',
  ],
  bot: [
    // Users take names that others have just left, also while a payout to that name is on its way.
    ({ alert }) => alert === 'payout-misdirected',
    // Answers get lost, the service stays down and clocks are set forth: after an hour each of these is told to
    // operators.
    ({ alert }) => alert === 'payout-unknown' || alert === 'withdrawal-unknown' || alert === 'redemption-unknown',
    ({ alert }) => alert === 'voucher-unknown' || alert === 'revocation-unknown',
    // Clocks are set, also while the bot is down: a start at which its clock stands wrong is told to operators.
    ({ alert }) => alert === 'clock',
    // Operators are told of what operators do: decide in the end, pause and go on.
    ({ alert }) => alert === 'decision-proposed' || alert === 'decision-done',
    ({ alert }) => alert === 'paused' || alert === 'resumed',
  ],
}

export interface WatchfulLogParts {
  readonly side: 'bot' | 'service'
  /** Of the process that speaks; what it says after its death counts for nothing. */
  readonly life: Life
  readonly trace: Trace
  readonly onComplaint: (what: string) => void
  /** Whether a fault of this world, beyond the weather that all have, has it say so. */
  readonly isExcused?: (side: 'bot' | 'service', complaint: Complaint) => boolean
}

/**
 * The log of a simulated process: every line of level error or worse is a complaint, unless it complains of what is
 * meant to happen here. So what fails in the background, where nobody waits for it, is heard of anyway.
 */
export function watchfulLog({ side, life, trace, onComplaint, isExcused }: WatchfulLogParts): Logger {
  const write = (line: string) => {
    if (life.over) return
    const complaint = JSON.parse(line) as Complaint
    trace.note(`${side}: complains ${complaint.alert ?? ''} ${complaint.msg}`)
    if (isMeant(side, complaint) || isExcused?.(side, complaint)) return
    // The time of the machine below is not part of this world, whose traces are compared.
    const said = line.trim().replace(/"time":"[^"]*",/, '')
    onComplaint(`the ${side} complains: ${said}: ${complaint.err?.stack ?? 'no error'}`)
  }
  return createLogger({ level: 'error', name: side, destination: { write } })
}

/** Whether a side of this world may say so. */
export function isMeant(side: 'bot' | 'service', complaint: Complaint): boolean {
  return MEANT[side].some((covers) => covers(complaint))
}
