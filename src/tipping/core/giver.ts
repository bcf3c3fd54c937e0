import type { AccountName } from '../../ledger/ledger.ts'
import { held, heldOfPool, member, pool } from './chart-of-accounts.ts'

/**
 * The source of a gift, where its unclaimed part waits: its giver's balance, or the pool of a server that paid for it.
 */
export function giverOf({ giver, pool: guild }: { readonly giver: string; readonly pool: string | null }): {
  readonly account: AccountName
  readonly held: AccountName
} {
  return guild === null
    ? { account: member(giver), held: held(giver) }
    : { account: pool(guild), held: heldOfPool(guild) }
}
