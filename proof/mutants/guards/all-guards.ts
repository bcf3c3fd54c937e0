import { misplaced } from '../copies/change.ts'
import { ATTACK_GUARDS } from './attack-guards.ts'
import { AUDIT_GUARDS } from './audit-guards.ts'
import { BOOK_TIME_GUARDS } from './book-time-guards.ts'
import { BOT_GUARDS } from './bot-guards.ts'
import { CLOCK_GUARDS } from './clock-guards.ts'
import { DISCORD_GUARDS } from './discord-guards.ts'
import { DISK_GUARDS } from './disk-guards.ts'
import { FLUSH_GUARDS } from './flush-guards.ts'
import { FOURTH_ATTACK_GUARDS } from './fourth-attack-guards.ts'
import type { Guard } from './guard.ts'
import { LEASE_GUARDS } from './lease-guards.ts'
import { LND_GUARDS } from './lnd-guards.ts'
import { NODE_GUARDS } from './node-guards.ts'
import { OFFER_GUARDS } from './offer-guards.ts'
import { OPERATORS_PAGE_GUARDS } from './operators-page-guards.ts'
import { PAYER_GUARDS } from './payer-guards.ts'
import { PAYOUT_GUARDS } from './payout-guards.ts'
import { POSTGRES_GUARDS } from './postgres-guards.ts'
import { REAL_MONEY_GUARDS } from './real-money-guards.ts'
import { ROUTE_GUARDS } from './route-guards.ts'
import { SANDBOX_GUARDS } from './sandbox-guards.ts'
import { SECOND_ATTACK_GUARDS } from './second-attack-guards.ts'
import { SENDING_GUARDS } from './sending-guards.ts'
import { SERVICE_GUARDS } from './service-guards.ts'
import { STRANGER_GUARDS } from './stranger-guards.ts'
import { THIRD_ATTACK_GUARDS } from './third-attack-guards.ts'
import { UNNUMBERED_GUARDS } from './unnumbered-guards.ts'
import { VOUCHER_GUARDS } from './voucher-guards.ts'
import { WALLET_GUARDS } from './wallet-guards.ts'

/** The numbered list of docs/RELIABILITY.md ends here. */
const LAST_FAULT = 33

export const ALL_GUARDS: readonly Guard[] = [
  ...SERVICE_GUARDS,
  ...PAYOUT_GUARDS,
  ...SENDING_GUARDS,
  ...BOT_GUARDS,
  ...DISK_GUARDS,
  ...FLUSH_GUARDS,
  ...CLOCK_GUARDS,
  ...BOOK_TIME_GUARDS,
  ...ROUTE_GUARDS,
  ...SANDBOX_GUARDS,
  ...STRANGER_GUARDS,
  ...LND_GUARDS,
  ...NODE_GUARDS,
  ...REAL_MONEY_GUARDS,
  ...LEASE_GUARDS,
  ...AUDIT_GUARDS,
  ...DISCORD_GUARDS,
  ...POSTGRES_GUARDS,
  ...ATTACK_GUARDS,
  ...SECOND_ATTACK_GUARDS,
  ...PAYER_GUARDS,
  ...THIRD_ATTACK_GUARDS,
  ...FOURTH_ATTACK_GUARDS,
  ...WALLET_GUARDS,
  ...OFFER_GUARDS,
  ...OPERATORS_PAGE_GUARDS,
  ...UNNUMBERED_GUARDS,
  ...VOUCHER_GUARDS,
]

/** What is wrong with the list as it is written: faults without a guard, guards that are not where it says. */
export function faultsOfList(root: string, guards: readonly Guard[] = ALL_GUARDS): string[] {
  const numbers = Array.from({ length: LAST_FAULT }, (_, i) => String(i + 1))
  const bare = numbers.filter((number) => !guards.some(({ fault }) => fault === number))
  return [
    ...bare.map((number) => `Fault ${number} has no guard.`),
    ...guards.flatMap(({ places }) => misplaced(root, places)),
  ]
}
