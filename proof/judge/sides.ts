/** The side of zero for each kind of account: positive for sats owed, negative for what holds them. */
export type Sides = Readonly<Record<string, 'debit' | 'credit' | 'either'>>

/** The bot's accounts, as docs/ARCHITECTURE.md lists them. */
export const BOT_SIDES: Sides = {
  wallet: 'debit',
  member: 'credit',
  pool: 'credit',
  held: 'credit',
  pot: 'credit',
  suspense: 'credit',
  operator: 'either',
}

/** The service's accounts. */
export const SERVICE_SIDES: Sides = {
  node: 'debit',
  wallet: 'credit',
  in_flight: 'credit',
  voucher_escrow: 'credit',
  fee_income: 'credit',
  suspense: 'credit',
  operator: 'either',
}
