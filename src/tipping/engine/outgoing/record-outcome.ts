import type { Entry, Move } from '../../../ledger/ledger.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { OPERATOR, WALLET } from '../../core/chart-of-accounts.ts'
import { commitEnd, type EndChange, Overtaken } from '../../core/commit-end.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { giverOf } from '../../core/giver.ts'
import { END, type Next, schedulePoll } from '../polling/poller.ts'
import type { Outcome, OutcomeRecord, OutgoingContext, OutgoingKind, OutgoingRow } from './outgoing.ts'

/** The delay before the first poll of an unknown or open operation. */
export const FIRST_POLL_MS = 2_000

/**
 * Records the outcome of a reserved or sent operation. If two callers record an end, the second one changes nothing.
 */
export async function recordOutcome<Row extends OutgoingRow, Paid extends object, Open extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, Paid, Open>,
  row: Row,
  outcome: Outcome<Paid, Open>,
): Promise<void> {
  await commitEnd(context, changeForOutcome(context, kind, row, outcome))
  void context.poller.wake()
}

/** Returns the change for an outcome. Its `write` throws Overtaken if somebody else has changed the row. */
export function changeForOutcome<Row extends OutgoingRow, Paid extends object, Open extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, Paid, Open>,
  row: Row,
  outcome: Outcome<Paid, Open>,
): EndChange {
  const record = recordOf(context, kind, row, outcome)
  return {
    entries: entriesOf(row, outcome, record),
    write: async (tx) => {
      await moveOn(context, tx, { kind, row, record, isFailure: outcome.kind === 'failed' })
      if (nextAfter(kind, outcome) !== END) {
        const job = { id: row.id, kind: kind.name, bornAt: row.sentAt ?? now(context) }
        await schedulePoll(tx, job, new Date(context.clock.now() + FIRST_POLL_MS))
      }
      await record.write?.(tx)
    },
  }
}

/** Returns when to poll after this outcome; undefined: at the usual pace. */
export function nextAfter<Paid extends object, Open extends object>(
  kind: Pick<OutgoingKind<OutgoingRow, Paid, Open>, 'nextAfter'>,
  outcome: Outcome<Paid, Open>,
): Next | undefined {
  if (outcome.kind === 'unknown') return undefined
  if (outcome.kind === 'failed' || kind.nextAfter === undefined) return END
  return kind.nextAfter(outcome)
}

function recordOf<Row extends OutgoingRow, Paid extends object, Open extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, Paid, Open>,
  row: Row,
  outcome: Outcome<Paid, Open>,
): OutcomeRecord<Row> & { readonly from: readonly string[] } {
  const sent = ['sending', 'unknown', ...(kind.openStates ?? [])]
  switch (outcome.kind) {
    case 'unknown': {
      const data = { state: 'unknown', reason: outcome.evidence, ...kind.unknown?.(outcome) } as Partial<Row>
      return { from: ['sending', 'unknown'], data }
    }
    case 'failed': {
      const moves = [backToMember(row, kind.reservedOf(row))]
      return { moves, from: ['reserved', ...sent], ...kind.failed(context, row, outcome) }
    }
    case 'paid':
      return { from: sent, ...kind.paid(context, row, outcome) }
    default:
      if (kind.open === undefined) throw new Error(`a ${kind.name} cannot have the outcome "open"`)
      return { from: sent, ...kind.open(context, row, outcome) }
  }
}

function entriesOf<Row extends OutgoingRow>(row: Row, { kind }: Outcome, record: OutcomeRecord<Row>): Entry[] {
  const moves = (record.moves ?? []).filter(({ amount }) => amount > 0n)
  if (moves.length === 0) return []
  return [{ operation: row.id, step: kind === 'failed' ? 'void' : (record.step ?? 'post'), moves }]
}

interface Moving<Row extends OutgoingRow> {
  readonly kind: Pick<OutgoingKind<Row>, 'name' | 'table'>
  readonly row: Row
  readonly record: OutcomeRecord<Row> & { readonly from: readonly string[] }
  readonly isFailure: boolean
}

async function moveOn<Row extends OutgoingRow>(
  context: OutgoingContext,
  tx: Tx,
  { kind, row: { id, card, process }, record: { from, data, untold = false }, isFailure }: Moving<Row>,
): Promise<void> {
  const table = kind.table(tx)
  // Proof that nothing was sent concerns this process's attempt. Another process that has taken it over may have sent
  // it since.
  const where = { id, state: { in: [...from] }, ...(isFailure && { process }) }
  const before = await table.findFirst({ where })
  if (before === null) throw new Overtaken(`${kind.name} ${id} has moved on`)
  await table.updateMany({ where: { id }, data })
  // An unchanged answer changes no card.
  const told = (data.state === undefined || data.state === before.state) && !('fee' in data)
  if (!told && !untold && card !== null) await context.cards.raise(tx, [card])
}

/** Returns the entry that moves the outgoing sum to the account `held`. */
export function reserveEntry(row: Paid & { readonly id: string }, amount: Msats): Entry {
  const { account: from, held: to } = accountsOf(row)
  return { operation: row.id, step: 'reserve', moves: [{ from, to, amount }] }
}

/** The payer of an operation: a member's balance, or the server's pool that pays for the member. */
interface Paid {
  readonly member: string
  readonly pool?: string | null
}

/** Returns the balance or pool that pays for an outgoing operation, and the account where the sum waits. */
export function accountsOf({ member: giver, pool = null }: Paid) {
  return giverOf({ giver, pool })
}

/** Returns the move of an amount from the reserve back to the member, or to the pool that paid. */
export function backToMember(row: Paid, amount: Msats): Move {
  const { account: to, held: from } = accountsOf(row)
  return { from, to, amount }
}

/**
 * Returns the moves of the fee out of the reserve, and of the rest of the fee's limit back. The operator bears a fee
 * beyond the limit.
 */
export function feeMoves(row: Paid & { readonly feeLimit: bigint }, fee: Msats): Move[] {
  const borne = msats(fee < row.feeLimit ? fee : row.feeLimit)
  return [
    { from: accountsOf(row).held, to: WALLET, amount: borne },
    backToMember(row, msats(row.feeLimit - borne)),
    { from: OPERATOR, to: WALLET, amount: msats(fee - borne) },
  ]
}
