import { formatSats, msats, ZERO } from '../../lib/money/amount.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { OperatorAlert } from '../core/operator-alerts.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { compareHistories, type Disagreement } from './compare-histories.ts'
import { compareWithNode, isLowOnLiquidity, type NodeComparison, type ReadBook } from './compare-with-node.ts'

const EVERY_MS = 600_000
/** The number of rounds after which payments are compared one by one again, which takes long. */
const HISTORIES_EVERY = 36
/** The time after which a persistent fault is reported again. */
const ALERT_AGAIN_AFTER_MS = 24 * 3_600_000

/**
 * Compares the service's book with its node repeatedly. Alerts operators if the node holds less than the book says, if
 * a payment or invoice ended differently at the node, or if the node can send less than wallets may want to withdraw. A
 * lack of liquidity is reported at once, any other fault only if the next check finds it, too. A sandbox creates its
 * own sats, so there is nothing to compare.
 */
export function watchCover(parts: ServiceParts): Worker {
  const told = new ToldOnce(parts)
  let done = 0
  let before: readonly OperatorAlert[] = []

  async function round(closing: AbortSignal): Promise<void> {
    if ((await parts.nodeWatch.recent()).health.state !== 'ready') return
    const found = await findings(parts, done % HISTORIES_EVERY === 0 || before.some(isAboutHistories))
    const keys = new Set(before.map(keyOf))
    // A lack of liquidity does not pass between two readings, so it is reported at once.
    const certain = found.filter((alert) => alert.alert === 'low_liquidity' || keys.has(keyOf(alert)))
    if (!closing.aborted) for (const alert of certain) told.tell(alert)
    before = found
    done += 1
  }
  const failed = (error: unknown) =>
    parts.logger.warn({ err: error }, 'the book could not be compared with the node; it will be tried again')
  const everyMs = parts.backend.kind === 'sandbox' ? Number.POSITIVE_INFINITY : EVERY_MS
  return startWorker({ clock: parts.clock, round, pauseMs: everyMs, failed })
}

async function findings(parts: ServiceParts, withHistories: boolean): Promise<OperatorAlert[]> {
  const { backend, settings } = parts
  const read: ReadBook = (look) => look(parts.database.read)
  const compared = await compareWithNode({ read, backend })
  const alerts: OperatorAlert[] = []
  if (compared.short > 0n) alerts.push({ alert: 'node_short', text: shortInWords(compared) })
  if (isLowOnLiquidity(compared, settings.liquidityAlertPercent)) {
    alerts.push({ alert: 'low_liquidity', text: lowInWords(compared) })
  }
  const disagreements = withHistories ? await compareHistories({ read, backend }) : []
  return [...alerts, ...disagreements.filter(({ onlyNode }) => !onlyNode).map(disagreementAlert)]
}

export function shortInWords({ booked, holds, short }: NodeComparison): string {
  return `The Lightning node holds ${formatSats(holds)} sats, and the book says ${formatSats(booked)}: ${formatSats(short)} sats are missing that nothing explains. Look at the node's payments for one that Satchel did not send. If the operator took the sats out, pay them back with an invoice: npm run -s admin -- project deposit.`
}

export function lowInWords({ balances: { spendable = ZERO }, withdrawable }: NodeComparison): string {
  return `The Lightning node can send ${formatSats(spendable)} sats, and wallets hold ${formatSats(msats(withdrawable))}: withdrawals will be refused if many want theirs. Open a channel, or move sats to this side of one. LIQUIDITY_ALERT_PERCENT sets when this alert comes.`
}

function disagreementAlert({ id, text }: Disagreement): OperatorAlert {
  const advice = 'Run npm run audit, and do not refund by hand before you know which side is right.'
  return { alert: 'node_disagrees', text: `${text} ${advice}`, fields: { about: id } }
}

function isAboutHistories({ alert }: OperatorAlert): boolean {
  return alert === 'node_disagrees'
}

/** Returns a fault's identity, which does not contain amounts, because these may differ in every check. */
function keyOf({ alert, fields }: OperatorAlert): string {
  return `${alert} ${fields?.about ?? ''}`
}

class ToldOnce {
  readonly #parts: ServiceParts
  readonly #at = new Map<string, number>()

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  tell(alert: OperatorAlert): void {
    const key = keyOf(alert)
    const now = this.#parts.clock.monotonic()
    if (now - (this.#at.get(key) ?? Number.NEGATIVE_INFINITY) < ALERT_AGAIN_AFTER_MS) return
    this.#at.set(key, now)
    this.#parts.tell(alert)
  }
}
