import type { AccountName, Chart } from '../../ledger/ledger.ts'

/** The bot's chart of accounts. The database repeats it as a CHECK. */
export const CHART = {
  /** The bot's part of the provider's wallet: if its balance is W, the provider must hold −W for the bot. */
  wallet: 'debit',
  member: 'credit',
  pool: 'credit',
  held: 'credit',
  pot: 'credit',
  suspense: 'credit',
  operator: 'either',
} as const satisfies Chart

/** The account for the bot's part of the provider's wallet. The account's balance is zero or less. */
export const WALLET: AccountName = { kind: 'wallet', owner: 'provider' }
/** The account for the operator's own sats, which cover losses, and fees beyond the limit. */
export const OPERATOR: AccountName = { kind: 'operator', owner: 'operator' }
/** The account for received sats whose owner is unclear. */
export const SUSPENSE: AccountName = { kind: 'suspense', owner: 'suspense' }

/** Returns a member's balance account, by Discord id. */
export function member(discordId: string): AccountName {
  return { kind: 'member', owner: discordId }
}

/** Returns the account for money that is leaving a member's balance. Each of its journal lines names an operation. */
export function held(discordId: string): AccountName {
  return { kind: 'held', owner: discordId }
}

/** Returns the account of a Discord server's reward pool, by server id. */
export function pool(guildId: string): AccountName {
  return { kind: 'pool', owner: guildId }
}

/** Returns the account for the reserved part of a pool, for rewards that wait for a second moderator or a newcomer. */
export function heldOfPool(guildId: string): AccountName {
  return { kind: 'held', owner: `pool:${guildId}` }
}

/** Returns the account for the pot of one drop or giveaway. */
export function pot(id: string): AccountName {
  return { kind: 'pot', owner: id }
}
