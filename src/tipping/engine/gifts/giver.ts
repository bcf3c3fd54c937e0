import type { AccountName } from '../../../ledger/ledger.ts'
import { held, heldOfPool, member, pool } from '../../core/chart-of-accounts.ts'
import type { Tip } from '../../generated/client.ts'

/** Where a tip came from, and where its unclaimed shares wait: a member's balance, or for a reward a server's pool. */
export function giverOf(tip: Pick<Tip, 'sender' | 'pool'>): {
  readonly account: AccountName
  readonly held: AccountName
} {
  return tip.pool === null
    ? { account: member(tip.sender), held: held(tip.sender) }
    : { account: pool(tip.pool), held: heldOfPool(tip.pool) }
}
