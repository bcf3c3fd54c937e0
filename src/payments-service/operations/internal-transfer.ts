import type { Condition } from '../../ledger/ledger.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/**
 * Internal Transfer (additive): pays another project of the same operator, if the settings permit it, in one
 * transaction and without a fee.
 */
export const internalTransfer = implement(operations.internalTransfer, async ({ body, caller, parts, commit }) => {
  const { amount, receiverWalletId: receiver } = body
  const sender = caller.projectId
  refuseAboveMaximum(parts, amount)
  refuseStranger(parts, sender, receiver)
  const [id, at] = [parts.entropy.uuid(), new Date(parts.clock.now()).toISOString()]
  const moves = [
    { from: wallet({ kind: 'project', id: sender }), to: wallet({ kind: 'project', id: receiver }), amount },
  ]
  return commit(
    { entries: [{ operation: `transfer:${id}`, step: 'post', moves }], conditions: [mustExist(receiver)] },
    {
      message: 'The transfer is completed.',
      data: {
        ...{ id, senderWalletId: sender, receiverWalletId: receiver, userId: sender, sendTxId: id, receiveTxId: id },
        ...{ status: 'TRANSFER_STATUS_COMPLETED', amount: amount.toString(), createdAt: at, updatedAt: at },
      },
    },
  )
})

/** Throws ServiceRefusal: self_payment, or transfer_not_allowed if the settings do not permit the transfer. */
function refuseStranger({ settings }: ServiceParts, sender: string, receiver: string): void {
  if (sender === receiver) {
    throw new ServiceRefusal(
      'self_payment',
      'This is your own wallet, so the transfer would move nothing. Choose another wallet.',
    )
  }
  const groups = settings.transferGroups
  if (!groups.some((group) => group.includes(sender) && group.includes(receiver))) {
    throw new ServiceRefusal(
      'transfer_not_allowed',
      'Your project is not allowed to transfer to this wallet. The operator of the service can permit such transfers (INTERNAL_TRANSFERS).',
    )
  }
}

/**
 * Returns the condition that a project exists, because a setting may name a project that does not. Simultaneous
 * transfers share one query.
 */
function mustExist(projectId: string): Condition {
  return {
    table: 'Project',
    key: { id: projectId },
    refusal: ([project]) =>
      project === undefined
        ? new ServiceRefusal(
            'not_found',
            'There is no project with this id. The operator has to correct INTERNAL_TRANSFERS.',
          )
        : undefined,
  }
}
