import { addressLists } from './address-lists.ts'
import { addresses } from './addresses.ts'
import { administration, weather } from './administration.ts'
import { asks } from './asks.ts'
import { auditors } from './auditors.ts'
import { chapters } from './chapters.ts'
import { deposits, invoices } from './deposits.ts'
import { drops, rain } from './drops.ts'
import { faucet } from './faucet.ts'
import { forgers } from './forgers.ts'
import { forwarding, keepers } from './forwarding.ts'
import { giveaways } from './giveaways.ts'
import { logIns } from './log-ins.ts'
import { claims, links, renames } from './members.ts'
import { messageTips } from './message-tips.ts'
import { offers } from './offers.ts'
import { ownWallets } from './own-wallets.ts'
import { payers, scanners } from './payers.ts'
import type { Actor } from './people.ts'
import { poolGifts } from './pool-gifts.ts'
import { pools } from './pools.ts'
import { privacy } from './privacy.ts'
import { programs } from './programs.ts'
import { ruleMakers } from './rules.ts'
import { schedules } from './schedules.ts'
import { serverWallets } from './server-wallets.ts'
import { settings } from './settings.ts'
import { splitMakers } from './splits.ts'
import { stranger } from './stranger.ts'
import { tips } from './tips.ts'
import { tipsByInvoice } from './tips-by-invoice.ts'
import { users } from './users.ts'
import { verifiers } from './verifiers.ts'
import { viewers } from './viewers.ts'
import { vouchers } from './vouchers.ts'
import { walletGifts } from './wallet-gifts.ts'
import { walletOwners } from './wallet-owners.ts'
import { webhooks } from './webhooks.ts'
import { requestPayers, withdrawals } from './withdrawals.ts'
import { young } from './young.ts'
import { zappers } from './zappers.ts'

/** All actors of the simulated world. */
export const ACTORS: readonly Actor[] = [
  tips,
  asks,
  tipsByInvoice,
  messageTips,
  links,
  ownWallets,
  walletOwners,
  walletGifts,
  serverWallets,
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
  poolGifts,
  addressLists,
  splitMakers,
  ruleMakers,
  schedules,
  programs,
  webhooks,
  faucet,
  payers,
  scanners,
  users,
  logIns,
  stranger,
  forgers,
  settings,
  privacy,
  young,
  verifiers,
  zappers,
  offers,
  auditors,
  viewers,
  administration,
  weather,
  chapters,
]
