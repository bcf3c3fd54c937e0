import type { AccountName, Chart } from '../../ledger/ledger.ts'

/** The bot's chart of accounts. The database repeats it as a CHECK. */
export const CHART = {
  /** −W is what the provider must hold for us. */
  wallet: 'debit',
  member: 'credit',
  pool: 'credit',
  held: 'credit',
  pot: 'credit',
  suspense: 'credit',
  operator: 'either',
} as const satisfies Chart

/** Our part of the provider's wallet, seen from our side: zero or less. */
export const WALLET: AccountName = { kind: 'wallet', owner: 'provider' }
/** The operator's float: absorbs fees beyond the limit and losses. */
export const OPERATOR: AccountName = { kind: 'operator', owner: 'operator' }
/** Received, owner unclear. */
export const SUSPENSE: AccountName = { kind: 'suspense', owner: 'suspense' }

/** A member's balance, by Discord id. */
export function member(discordId: string): AccountName {
  return { kind: 'member', owner: discordId }
}

/** Money on its way out of a member's balance; each journal line has its operation. */
export function held(discordId: string): AccountName {
  return { kind: 'held', owner: discordId }
}

/** A Discord server's reward pool, by server id. */
export function pool(guildId: string): AccountName {
  return { kind: 'pool', owner: guildId }
}

/** The part of a pool that is set aside: rewards that wait for a second moderator, or for a newcomer. */
export function heldOfPool(guildId: string): AccountName {
  return { kind: 'held', owner: `pool:${guildId}` }
}

/** The pot of one drop or giveaway. */
export function pot(id: string): AccountName {
  return { kind: 'pot', owner: id }
}
