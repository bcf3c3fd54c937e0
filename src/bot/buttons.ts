import { cashOut } from './buttons/cash-out.ts'
import { claim } from './buttons/claim.ts'
import { dropConfirm, giveawayConfirm, poolConfirm, tipCancel, tipConfirm } from './buttons/confirm-tip.ts'
import { dropClose, dropSolve, dropTake } from './buttons/drop.ts'
import { fundraiserClose, fundraiserCode, fundraiserGive } from './buttons/fundraiser.ts'
import { giveawayEnter } from './buttons/giveaway.ts'
import { invoiceCode } from './buttons/invoice-code.ts'
import { payInvoice } from './buttons/pay-invoice.ts'
import { rewardApprove, rewardDeny } from './buttons/reward.ts'
import { withdrawCancel, withdrawCode, withdrawConfirm } from './buttons/withdrawal.ts'
import type { Button, FormButton } from './command.ts'
import { settingsOpen, settingsToggle } from './settings/choices.ts'

/** Every button that was ever shown and still works. */
export const buttons: readonly (Button | FormButton)[] = [
  claim,
  cashOut,
  invoiceCode,
  payInvoice,
  withdrawConfirm,
  withdrawCancel,
  withdrawCode,
  dropTake,
  dropSolve,
  dropClose,
  tipConfirm,
  dropConfirm,
  giveawayConfirm,
  poolConfirm,
  tipCancel,
  settingsToggle,
  fundraiserGive,
  fundraiserCode,
  fundraiserClose,
  rewardApprove,
  rewardDeny,
  settingsOpen,
  giveawayEnter,
]
