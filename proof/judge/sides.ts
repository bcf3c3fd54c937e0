/**
 * The side of zero for each kind of account's balance: credit for accounts of owed sats, debit for accounts that hold
 * sats.
 */
export type Sides = Readonly<Record<string, 'debit' | 'credit' | 'either'>>

/** The sides of the bot's accounts, as docs/ARCHITECTURE.md lists them. */
export const BOT_SIDES: Sides = {
  wallet: 'debit',
  member: 'credit',
  pool: 'credit',
  held: 'credit',
  pot: 'credit',
  suspense: 'credit',
  operator: 'either',
}

/** The sides of the service's accounts. */
export const SERVICE_SIDES: Sides = {
  node: 'debit',
  wallet: 'credit',
  in_flight: 'credit',
  voucher_escrow: 'credit',
  fee_income: 'credit',
  suspense: 'credit',
  operator: 'either',
}
