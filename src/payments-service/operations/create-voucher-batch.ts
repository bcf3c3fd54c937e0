import { msats } from '../../lib/money/amount.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { FEE_INCOME, voucherEscrow, wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../engine/http/operation.ts'
import { operationOfVoucher, operationOfVoucherBatch } from '../engine/sending/voucher-claim-record.ts'
import { newVouchers } from '../vouchers/new-vouchers.ts'
import { voucherBatchData } from '../vouchers/voucher-record.ts'

/**
 * Create Vouchers (additive): creates many vouchers of one amount, all or none. Moves the total from the wallet to an
 * escrow of the batch, and from there to each voucher's own escrow, in one transaction.
 */
export const createVoucherBatch = implement(operations.createVoucherBatch, async ({ body, caller, parts, commit }) => {
  const { amount, count, description = '', expiresAt = null } = body
  const batch = parts.entropy.uuid()
  const terms = { projectId: caller.projectId, amount, description, expiresAt, createTransactionId: batch }
  const vouchers = await newVouchers(parts, terms, count)
  const payer = wallet({ kind: 'project', id: caller.projectId })
  const fee = vouchers.reduce((sum, voucher) => sum + voucher.fee, 0n)
  const moves = [
    { from: payer, to: voucherEscrow(batch), amount: msats(amount * BigInt(count)) },
    { from: payer, to: FEE_INCOME, amount: msats(fee) },
  ]
  return commit(
    {
      entries: [
        { operation: operationOfVoucherBatch(batch), step: 'reserve', moves },
        ...vouchers.map(({ id }) => ({
          operation: operationOfVoucher(id),
          step: 'reserve',
          moves: [{ from: voucherEscrow(batch), to: voucherEscrow(id), amount }],
        })),
      ],
      rows: vouchers.map((voucher) => ({ table: 'Voucher', values: { ...voucher } })),
    },
    { message: 'Vouchers created.', data: voucherBatchData(parts, vouchers) },
  )
})
