import { deposits, invoices } from './actors/deposits.ts'
import { drops, rain } from './actors/drops.ts'
import { giveaways } from './actors/giveaways.ts'
import { claims, links, renames } from './actors/members.ts'
import { oversight, weather } from './actors/oversight.ts'
import { payers, scanners } from './actors/payers.ts'
import { pools } from './actors/pools.ts'
import { stranger } from './actors/stranger.ts'
import { tips } from './actors/tips.ts'
import { vouchers } from './actors/vouchers.ts'
import { requestPayers, withdrawals } from './actors/withdrawals.ts'
import type { Actor } from './people.ts'

/** Everybody who does something in the simulated world. */
export const ACTORS: readonly Actor[] = [
  tips,
  links,
  claims,
  renames,
  deposits,
  invoices,
  withdrawals,
  requestPayers,
  vouchers,
  drops,
  rain,
  giveaways,
  pools,
  payers,
  scanners,
  stranger,
  oversight,
  weather,
]
