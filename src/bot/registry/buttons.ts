import { ownOffer } from '../addresses/offer-button.ts'
import { askClose, askGive, askOther } from '../asks/buttons.ts'
import { claim } from '../claims/buttons.ts'
import { cancel, dropConfirm, giveawayConfirm, poolConfirm, tipConfirm } from '../confirmations/buttons.ts'
import { depositCode } from '../deposits/code-button.ts'
import { dropClose, dropSolve, dropTake } from '../drops/buttons.ts'
import { dropAgain } from '../drops/command.ts'
import { giveawayClaim, giveawayEnter, giveawayVerifyPress } from '../giveaways/buttons.ts'
import { giveawayCancelConfirm, giveawayKeep } from '../giveaways/cancel.ts'
import { giveawayEditConfirm } from '../giveaways/edit.ts'
import { giveawayWho, giveawayWhoPage } from '../giveaways/entrants.ts'
import { giveawayAgain } from '../giveaways/form.ts'
import { giveawayRerollConfirm } from '../giveaways/reroll-button.ts'
import { helpTopic } from '../help/command.ts'
import { historyFile, historyPage, historyReceipt, receiptButton } from '../history/command.ts'
import type { Button, Choice, FormButton } from '../interactions/command.ts'
import { invoiceCode, payInvoice } from '../invoices/buttons.ts'
import { keepSome } from '../links/keep-button.ts'
import { walletLink, walletOpen } from '../own-wallets/command.ts'
import { walletConnect, walletDisconnect, walletMove } from '../own-wallets/own-wallet.ts'
import { promiseRevoke, promisesMine } from '../own-wallets/promises.ts'
import { fundraiserClose, fundraiserCode, fundraiserGive } from '../pools/buttons.ts'
import { poolFill, poolRole } from '../pools/guide.ts'
import { serverWalletConnect, serverWalletDisconnect } from '../pools/server-wallet.ts'
import { privacyCancel, privacyDelete, privacyFile, privacyForget, privacyRoles } from '../privacy/command.ts'
import { rewardApprove, rewardDeny } from '../rewards/buttons.ts'
import { listConfirm, listFile } from '../rewards/list-command.ts'
import { settingsAnonymous } from '../settings/anonymous.ts'
import { settingsMine, settingsOpen, settingsServer, settingsToggle } from '../settings/choices.ts'
import { settingsEmoji } from '../settings/emoji-form.ts'
import { settingsChanges } from '../settings/moderation-log.ts'
import { byHandCode, tipJoin } from '../tips/buttons.ts'
import { batchCsv, batchEnd, batchEndSure, batchKeep, batchPrint } from '../vouchers/batch-command.ts'
import { withdrawCancel, withdrawCancelCode, withdrawCode, withdrawConfirm } from '../withdrawals/buttons.ts'
import { cashOut } from '../withdrawals/cash-out-button.ts'
import { voucherWallet, voucherWalletCode } from '../withdrawals/voucher-to-wallet.ts'

/** Every button that was ever shown and still works. */
export const buttons: readonly (Button | FormButton)[] = [
  claim,
  cashOut,
  depositCode,
  byHandCode,
  promisesMine,
  promiseRevoke,
  ownOffer,
  invoiceCode,
  payInvoice,
  withdrawConfirm,
  withdrawCancel,
  withdrawCode,
  withdrawCancelCode,
  voucherWallet,
  batchCsv,
  batchPrint,
  batchEnd,
  batchEndSure,
  batchKeep,
  voucherWalletCode,
  dropTake,
  dropSolve,
  dropClose,
  tipJoin,
  tipConfirm,
  dropConfirm,
  giveawayConfirm,
  poolConfirm,
  cancel,
  keepSome,
  walletLink,
  walletOpen,
  walletConnect,
  walletDisconnect,
  walletMove,
  settingsToggle,
  poolFill,
  serverWalletConnect,
  serverWalletDisconnect,
  fundraiserGive,
  fundraiserCode,
  fundraiserClose,
  rewardApprove,
  rewardDeny,
  listConfirm,
  listFile,
  settingsOpen,
  settingsChanges,
  settingsEmoji,
  settingsAnonymous,
  askGive,
  askOther,
  askClose,
  giveawayEnter,
  giveawayClaim,
  giveawayVerifyPress,
  giveawayWho,
  giveawayWhoPage,
  giveawayAgain,
  dropAgain,
  giveawayEditConfirm,
  giveawayRerollConfirm,
  giveawayCancelConfirm,
  giveawayKeep,
  historyPage,
  historyFile,
  receiptButton,
  privacyFile,
  privacyForget,
  privacyDelete,
  privacyCancel,
  privacyRoles,
]

/** The handlers of every menu that was ever shown under a message and still works. */
export const choices: readonly Choice[] = [settingsMine, settingsServer, helpTopic, historyReceipt, poolRole]
