import { msats } from '../../lib/money/amount.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { FEE_INCOME, voucherEscrow, wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../engine/http/operation.ts'
import { operationOfVoucher } from '../engine/sending/voucher-claim-record.ts'
import type { Voucher } from '../generated/client.ts'
import { newVouchers } from '../vouchers/new-vouchers.ts'
import { createdVoucherData } from '../vouchers/voucher-record.ts'

/**
 * Create Voucher: debits the project's wallet, puts the amount into escrow and issues the codes that redeem the
 * voucher.
 */
export const createVoucher = implement(operations.createVoucher, async ({ body, caller, parts, commit }) => {
  const { amount, description = '', expiresAt = null } = body
  const createTransactionId = parts.entropy.uuid()
  const terms = { projectId: caller.projectId, amount, description, expiresAt, createTransactionId }
  const [voucher] = (await newVouchers(parts, terms, 1)) as [Voucher]
  const payer = wallet({ kind: 'project', id: caller.projectId })
  const moves = [
    { from: payer, to: voucherEscrow(voucher.id), amount: body.amount },
    { from: payer, to: FEE_INCOME, amount: msats(voucher.fee) },
  ]
  return commit(
    {
      entries: [{ operation: operationOfVoucher(voucher.id), step: 'reserve', moves }],
      rows: [{ table: 'Voucher', values: { ...voucher } }],
    },
    { message: 'Voucher created.', data: createdVoucherData(parts, voucher) },
  )
})
