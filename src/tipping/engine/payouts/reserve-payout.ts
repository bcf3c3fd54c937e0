import type { Entry, Row } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import type { CoreContext } from '../../core/context.ts'
import { operationRow } from '../once-only/once-only.ts'
import { reserveEntry } from '../outgoing/record-outcome.ts'
import type { LiveLink } from './live-link.ts'

/** A payout from a member's balance to their linked Lightning account. */
export interface NewPayout {
  /** The record that the payout follows: a tip's share, a claim or a prize. At most one payout follows each record. */
  readonly cause: string
  /** The card that shows the payout's progress. */
  readonly card: string
  readonly link: LiveLink
  readonly amount: Msats
  /** The description that the recipient's wallet shows. */
  readonly description: string
  readonly at: Date
}

/** Returns the parts of a change that reserves a payout: its sats move to the account `held`. */
export function reservePayout(
  { entropy, ownership }: Pick<CoreContext, 'entropy' | 'ownership'>,
  payout: NewPayout,
): { id: string; entry: Entry; operation: Row; row: Row } {
  const id = entropy.uuid()
  const { cause, card, link, amount, description, at } = payout
  return {
    id,
    entry: reserveEntry({ id, member: link.member }, amount),
    operation: operationRow({ id, verb: 'payout', record: cause, createdAt: at }),
    row: {
      table: 'Payout',
      values: {
        id,
        cause,
        card,
        member: link.member,
        lightningId: link.lightningId,
        amount,
        description: readable(description),
        state: 'reserved',
        process: ownership.me,
        key: `payout-${id}`,
        createdAt: at,
      },
    },
  }
}

const MAX_BYTES = 639

/**
 * Returns a text in a form that can be sent: well-formed, without NUL, and no longer than an invoice's description may
 * be.
 */
function readable(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '')
  let bytes = 0
  let fitting = ''
  for (const character of clean) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_BYTES) break
    fitting += character
  }
  return fitting
}
