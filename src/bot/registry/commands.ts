import type { Tipping } from '../../tipping/tipping.ts'
import { address } from '../addresses/command.ts'
import {
  adminAudit,
  adminBook,
  adminCancel,
  adminDecide,
  adminPage,
  adminPause,
  adminResume,
  adminSuspense,
  adminUnknown,
  adminUnlink,
} from '../administration/command.ts'
import { adminWindDown } from '../administration/wind-down-command.ts'
import { apiKeyCreate, apiKeyList, apiKeyRevoke } from '../api-keys/command.ts'
import { ask } from '../asks/command.ts'
import { balance } from '../balances/command.ts'
import { claim } from '../claims/command.ts'
import { deposit } from '../deposits/command.ts'
import { drop, voucherDrop } from '../drops/command.ts'
import { faucet } from '../faucet/command.ts'
import { giveawayCancel } from '../giveaways/cancel.ts'
import { giveawayEnd, giveawayReroll, giveawayStart, giveawayVerify } from '../giveaways/command.ts'
import { giveawayEdit } from '../giveaways/edit.ts'
import { help } from '../help/command.ts'
import { history, receipt } from '../history/command.ts'
import { leaderboard, stats } from '../insights/command.ts'
import type { Command, MenuCommand } from '../interactions/command.ts'
import { invoice } from '../invoices/command.ts'
import { link, unlink } from '../links/command.ts'
import { wallet } from '../own-wallets/command.ts'
import {
  poolBalance,
  poolBudget,
  poolExport,
  poolFund,
  poolFundraiser,
  poolGive,
  poolHistory,
} from '../pools/command.ts'
import { privacy } from '../privacy/command.ts'
import { rain } from '../rain/command.ts'
import { reward } from '../rewards/command.ts'
import { poolPay } from '../rewards/list-command.ts'
import { ruleCreate, ruleList, ruleStart, ruleStop } from '../rules/command.ts'
import { scheduleCreate, scheduleList, scheduleStop } from '../schedules/command.ts'
import { settings } from '../settings/command.ts'
import { splitCreate, splitDelete, splitEdit, splitList, splitPay } from '../splits/command.ts'
import { status } from '../status/command.ts'
import { tip } from '../tips/command.ts'
import { tipMessage, tipPerson } from '../tips/menu.ts'
import { voucherBatch } from '../vouchers/batch-command.ts'
import { voucherCreate, voucherList, voucherRedeem, voucherRevoke, voucherStatus } from '../vouchers/command.ts'
import { withdraw } from '../withdrawals/command.ts'

/**
 * Every slash command, in the order in which the documentation lists them. Discord lists a command's verbs in this
 * order, so what people do most comes first.
 */
export const commands: readonly Command[] = [
  tip,
  balance,
  link,
  unlink,
  wallet,
  deposit,
  address,
  withdraw,
  invoice,
  claim,
  history,
  receipt,
  drop,
  faucet,
  voucherCreate,
  voucherRedeem,
  voucherList,
  voucherStatus,
  voucherBatch,
  voucherDrop,
  voucherRevoke,
  rain,
  reward,
  poolBalance,
  poolGive,
  poolFund,
  poolFundraiser,
  poolPay,
  poolBudget,
  poolHistory,
  poolExport,
  splitPay,
  splitCreate,
  splitEdit,
  splitList,
  splitDelete,
  ruleCreate,
  ruleList,
  ruleStart,
  ruleStop,
  scheduleCreate,
  scheduleList,
  scheduleStop,
  apiKeyCreate,
  apiKeyList,
  apiKeyRevoke,
  leaderboard,
  stats,
  settings,
  privacy,
  ask,
  giveawayStart,
  giveawayVerify,
  giveawayEdit,
  giveawayReroll,
  giveawayEnd,
  giveawayCancel,
  status,
  help,
  adminPage,
  adminAudit,
  adminUnknown,
  adminDecide,
  adminPause,
  adminResume,
  adminBook,
  adminSuspense,
  adminCancel,
  adminUnlink,
  adminWindDown,
]

/** The commands in the menus of messages and people. */
export const menuCommands: readonly MenuCommand[] = [tipMessage, tipPerson]

/**
 * The commands that need no balances. Without balances, rewards are paid from a server's wallet, which `/pool balance`
 * shows, and operators use the console.
 */
const WITHOUT_CUSTODY = [
  ...['tip', 'drop', 'rain', 'link', 'unlink', 'wallet', 'leaderboard', 'stats', 'settings', 'privacy', 'help'],
  ...['history', 'receipt', 'reward', 'pool balance', 'pool budget', 'admin page'],
]

/** Returns the commands that are available with this instance of tipping. */
export function offeredBy(tipping: Tipping) {
  const isThere = ({ name, offered }: (typeof commands)[number]) =>
    (tipping.holdsSats || WITHOUT_CUSTODY.includes(name)) && (offered?.(tipping) ?? true)
  return { commands: commands.filter(isThere), menuCommands }
}
