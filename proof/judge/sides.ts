/** On which side of zero the accounts of each kind may stand: what is owed above it, what holds it below. */
export type Sides = Readonly<Record<string, 'debit' | 'credit' | 'either'>>

/** The bot's accounts, as docs/ARCHITECTURE.md has them. */
export const BOT_SIDES: Sides = {
  wallet: 'debit',
  member: 'credit',
  pool: 'credit',
  held: 'credit',
  pot: 'credit',
  suspense: 'credit',
  operator: 'either',
}

/** The same of the service. */
export const SERVICE_SIDES: Sides = {
  node: 'debit',
  wallet: 'credit',
  in_flight: 'credit',
  voucher_escrow: 'credit',
  fee_income: 'credit',
  suspense: 'credit',
  operator: 'either',
}
