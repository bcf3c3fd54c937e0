import type { Command } from './command.ts'
import { address } from './commands/address.ts'
import {
  adminAudit,
  adminBook,
  adminDecide,
  adminPause,
  adminResume,
  adminSuspense,
  adminUnknown,
} from './commands/admin.ts'
import { balance } from './commands/balance.ts'
import { claim } from './commands/claim.ts'
import { deposit } from './commands/deposit.ts'
import { voucherDrop } from './commands/drop.ts'
import { giveawayCancel, giveawayEnd, giveawayReroll, giveawayStart, giveawayVerify } from './commands/giveaway.ts'
import { help } from './commands/help.ts'
import { leaderboard, stats } from './commands/insights.ts'
import { invoice } from './commands/invoice.ts'
import { link } from './commands/link.ts'
import { poolBalance, poolBudget, poolExport, poolFund, poolFundraiser, poolHistory } from './commands/pool.ts'
import { rain } from './commands/rain.ts'
import { reward } from './commands/reward.ts'
import { settings } from './commands/settings.ts'
import { status } from './commands/status.ts'
import { tip } from './commands/tip.ts'
import { unlink } from './commands/unlink.ts'
import { voucherCreate, voucherList, voucherRedeem, voucherRevoke, voucherStatus } from './commands/voucher.ts'
import { withdraw } from './commands/withdraw.ts'

/** Every slash command, in the order in which the documentation lists them. */
export const commands: readonly Command[] = [
  tip,
  balance,
  link,
  unlink,
  deposit,
  address,
  withdraw,
  invoice,
  claim,
  voucherCreate,
  voucherDrop,
  voucherRedeem,
  voucherStatus,
  voucherRevoke,
  voucherList,
  rain,
  reward,
  poolFund,
  poolFundraiser,
  poolBalance,
  poolBudget,
  poolHistory,
  poolExport,
  leaderboard,
  stats,
  settings,
  giveawayStart,
  giveawayEnd,
  giveawayReroll,
  giveawayCancel,
  giveawayVerify,
  status,
  help,
  adminAudit,
  adminUnknown,
  adminDecide,
  adminBook,
  adminSuspense,
  adminPause,
  adminResume,
]
