import type { AccountName } from '../../ledger/ledger.ts'
import { held, heldOfPool, member, pool } from './chart-of-accounts.ts'

/**
 * Returns the accounts of a gift's source, to which the gift's unclaimed part goes back: the giver's balance, or the
 * pool of the server that paid.
 */
export function giverOf({ giver, pool: guild }: { readonly giver: string; readonly pool: string | null }): {
  readonly account: AccountName
  readonly held: AccountName
} {
  return guild === null
    ? { account: member(giver), held: held(giver) }
    : { account: pool(guild), held: heldOfPool(guild) }
}
