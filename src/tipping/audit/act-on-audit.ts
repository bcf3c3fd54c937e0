import { msats } from '../../lib/money/amount.ts'
import { SUSPENSE, WALLET } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { raiseAlert } from '../machines/alerts/alerts.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import { readAllCharges } from './read-charges.ts'
import { allPolledSinceRestore } from './restored.ts'

export interface Findings {
  /** Everything that is off, as sentences. */
  readonly faults: readonly string[]
  /** What the wallet holds more than can be explained, in msats; undefined when it could not be asked. */
  readonly surplus: bigint | undefined
  /** Whether any of it means that what is owed may not be covered. */
  readonly uncovered: boolean
}

/** A surplus is believed when it is still there after this. */
const CONFIRM_SURPLUS_AFTER_MS = 5 * 60_000

/**
 * What follows from an audit. Not covered: outgoing payments pause until an audit finds everything right. More than can be
 * explained: nobody is in danger, but somebody's money has come; when it stays it goes to suspense, for operators to say
 * whose it is.
 */
export class AuditConsequences {
  #surplus: { readonly amount: bigint; readonly since: number } | undefined

  async follow(context: TippingContext, findings: Findings): Promise<void> {
    const { faults, surplus, uncovered } = findings
    const [fault] = faults
    if (fault !== undefined) await tell(context, faults)
    if (uncovered && fault !== undefined) await context.outgoingSwitch.pause(context, 'cover', fault)
    // Without the wallet only half was compared: that opens nothing.
    else if (surplus !== undefined) {
      await context.outgoingSwitch.resume(context, 'cover')
      if (surplus <= 0n && (await allPolledSinceRestore(context)))
        await context.outgoingSwitch.resume(context, 'restore')
    }
    if (surplus !== undefined) await this.#weigh(context, uncovered ? 0n : surplus)
  }

  async #weigh(context: TippingContext, surplus: bigint): Promise<void> {
    const seen = this.#surplus
    const at = context.clock.monotonic()
    // Of several bots, one books it.
    if (surplus <= 0n || !context.leases.has('upkeep')) this.#surplus = undefined
    else if (seen === undefined) this.#surplus = { amount: surplus, since: at }
    else if (at - seen.since >= CONFIRM_SURPLUS_AFTER_MS) {
      const amount = msats(seen.amount < surplus ? seen.amount : surplus)
      this.#surplus = undefined
      if (!(await isNobodys(context))) return
      const moves = [{ from: WALLET, to: SUSPENSE, amount }]
      await context.commit({
        entries: [{ operation: `surplus-${context.entropy.uuid()}`, step: 'post', moves }],
        write: (tx) => context.leases.assertIn(tx, 'upkeep'),
      })
    }
  }
}

/** Whether no charge explains a surplus. Where one does, or cannot be read, another audit sees what is left of it. */
async function isNobodys(context: TippingContext): Promise<boolean> {
  const before = await context.ledger.balance(WALLET)
  return (await readAllCharges(context)) && (await context.ledger.balance(WALLET)) === before
}

async function tell(context: TippingContext, faults: readonly string[]): Promise<void> {
  // The same fault is told once a day.
  const about = `${faults[0]}, ${now(context).toISOString().slice(0, 10)}`
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'cover', about, text: faults.join('; ') }) })
}
