import { msats } from '../../lib/money/amount.ts'
import { SUSPENSE, WALLET } from '../core/chart-of-accounts.ts'
import { Overtaken } from '../core/commit-end.ts'
import { type Book, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { raiseAlert } from '../engine/alerts/alerts.ts'
import type { PausesInForce } from '../engine/outgoing/outgoing-payments-switch.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { arrivedSince } from './cover.ts'
import { proposedTopUps } from './proposed-bookings.ts'
import { readAllCharges } from './read-charges.ts'
import { allPolledSinceRestore } from './restored.ts'

export interface Findings {
  /** Every fault, as a sentence. */
  readonly faults: readonly string[]
  /**
   * The wallet's unexplained surplus, in msats; undefined if the wallet did not answer, or if an address could not be
   * read.
   */
  readonly surplus: bigint | undefined
  /** Whether any fault means that the liabilities may not be covered. */
  readonly uncovered: boolean
  /**
   * The pauses in force when the audit began to read. The audit does not affect pauses that others have started since.
   */
  readonly inForce: PausesInForce
  /**
   * The last journal entry before the wallet was read, and the sum in msats that arrived after that entry. The surplus
   * does not include this sum.
   */
  readonly journal: { readonly lastEntry: number; readonly arrived: bigint }
}

/** The time after which a surplus must still be there in order to count. */
const CONFIRM_SURPLUS_AFTER_MS = 5 * 60_000

/**
 * Applies an audit's consequences: pauses and alerts. If the wallet does not cover the books, outgoing payments pause
 * until an audit finds that it does. A surplus endangers nobody, but is somebody's money: if the surplus remains, it is
 * booked to suspense, for operators to assign.
 */
export class AuditConsequences {
  /** The surplus as it was first seen, with the time and this bot's tenure of the job `upkeep`. */
  #surplus: { readonly amount: bigint; readonly since: number; readonly tenure: number } | undefined

  async follow(context: TippingContext, findings: Findings): Promise<void> {
    const { faults, surplus, uncovered, inForce } = findings
    const [fault] = faults
    if (fault !== undefined) await tell(context, faults)
    if (uncovered && fault !== undefined) await context.outgoingSwitch.pause(context, 'cover', fault)
    // Without the wallet only half was compared, which must not end a pause.
    else if (surplus !== undefined) {
      await context.outgoingSwitch.resume(context, 'cover', inForce)
      if (surplus <= 0n && (await allPolledSinceRestore(context)))
        await context.outgoingSwitch.resume(context, 'restore', inForce)
    }
    if (surplus !== undefined) await this.#weigh(context, uncovered ? 0n : surplus, findings.journal)
  }

  async #weigh(context: TippingContext, surplus: bigint, journal: Findings['journal']): Promise<void> {
    const { clock, database, ownership, entropy } = context
    const at = clock.monotonic()
    // Only one of several bots books it.
    const tenure = ownership.tenureOf('upkeep')
    // Between two tenures, another bot may have booked the same surplus.
    const seen = this.#surplus?.tenure === tenure ? this.#surplus : undefined
    this.#surplus = undefined
    if (surplus <= 0n || tenure === undefined) return
    if (seen === undefined || at - seen.since < CONFIRM_SURPLUS_AFTER_MS) {
      this.#surplus = seen ?? { amount: surplus, since: at, tenure }
      return
    }
    if (!(await isNobodys(context))) return
    // Sums that were credited since, or that operators booked, may be the same sats, because proving a large book takes
    // a while.
    const arrived = await arrivedSince(database.read, journal.lastEntry)
    const most = seen.amount < surplus ? seen.amount : surplus
    // A payment that one operator claims waits for a second operator, or until it takes effect.
    const said = await proposedTopUps(database.read, clock.now())
    const left = most - (arrived - journal.arrived) - said
    if (left <= 0n) return
    const moves = [{ from: WALLET, to: SUSPENSE, amount: msats(left) }]
    const change = {
      entries: [{ operation: `surplus-${entropy.uuid()}`, step: 'post', moves }],
      write: async (tx: Tx) => {
        await ownership.assertHas(tx, 'upkeep', tenure)
        if ((await proposedTopUps(tx, clock.now())) !== said) throw new Overtaken('an operator has said whose it is')
        if ((await arrivedSince(tx, journal.lastEntry)) !== arrived) throw new Overtaken('more has arrived')
      },
    }
    // The next audit finds what is left of it.
    await context.commit(change).catch((error: unknown) => {
      if (!(error instanceof Overtaken)) throw error
    })
  }
}

/** Whether no charge explains a surplus. If a charge does, or cannot be read, a later audit handles the rest. */
async function isNobodys(context: TippingContext): Promise<boolean> {
  const before = await context.ledger.balance(WALLET)
  return (await readAllCharges(context)) && (await context.ledger.balance(WALLET)) === before
}

async function tell(context: Book, faults: readonly string[]): Promise<void> {
  // The same fault raises one alert a day.
  const about = `${faults[0]}, ${now(context).toISOString().slice(0, 10)}`
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'cover', about, text: faults.join('; ') }) })
}
