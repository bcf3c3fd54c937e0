import { addresses } from './actors/addresses.ts'
import { administration, weather } from './actors/administration.ts'
import { chapters } from './actors/chapters.ts'
import { deposits, invoices } from './actors/deposits.ts'
import { drops, rain } from './actors/drops.ts'
import { faucet } from './actors/faucet.ts'
import { forgers } from './actors/forgers.ts'
import { forwarding, keepers } from './actors/forwarding.ts'
import { giveaways } from './actors/giveaways.ts'
import { claims, links, renames } from './actors/members.ts'
import { messageTips } from './actors/message-tips.ts'
import { onlookers } from './actors/onlookers.ts'
import { payers, scanners } from './actors/payers.ts'
import { pools } from './actors/pools.ts'
import { settings } from './actors/settings.ts'
import { stranger } from './actors/stranger.ts'
import { tips } from './actors/tips.ts'
import { users } from './actors/users.ts'
import { vouchers } from './actors/vouchers.ts'
import { requestPayers, withdrawals } from './actors/withdrawals.ts'
import type { Actor } from './people.ts'

/** Everybody who does something in the simulated world. */
export const ACTORS: readonly Actor[] = [
  tips,
  messageTips,
  links,
  forwarding,
  keepers,
  claims,
  renames,
  deposits,
  addresses,
  invoices,
  withdrawals,
  requestPayers,
  vouchers,
  drops,
  rain,
  giveaways,
  pools,
  faucet,
  payers,
  scanners,
  users,
  stranger,
  forgers,
  settings,
  onlookers,
  administration,
  weather,
  chapters,
]
