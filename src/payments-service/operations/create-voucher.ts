import { token } from '../../lib/entropy.ts'
import { ceilDivide, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { FEE_INCOME, voucherEscrow, wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { operationOfVoucher } from '../engine/sending/voucher-claim-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'
import { walletAmountOf } from '../payments/fee-limit.ts'
import { newVoucherCode } from '../vouchers/voucher-code.ts'
import { createdVoucherData } from '../vouchers/voucher-record.ts'

/** Create Voucher: debits the project's wallet, puts the amount into escrow and issues the codes that redeem it. */
export const createVoucher = implement(operations.createVoucher, async ({ body, caller, parts, commit }) => {
  refuseAboveMaximum(parts, body.amount)
  const walletAmount = walletAmountOf(parts, body.amount)
  const voucher: Voucher = {
    id: parts.entropy.uuid(),
    code: await freshCode(parts),
    projectId: caller.projectId,
    amount: body.amount,
    fee: voucherFee(body.amount),
    description: body.description ?? '',
    createdAt: new Date(parts.clock.now()),
    updatedAt: null,
    createTransactionId: parts.entropy.uuid(),
    redeemedAt: null,
    redeemedById: null,
    redeemedTransactionId: null,
    revokedAt: null,
    revokedById: null,
    revokedTransactionId: null,
    walletSecret: walletAmount === undefined ? null : token(parts.entropy),
    walletAmount: walletAmount ?? null,
  }
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

/** 1 % of the amount, rounded up to a msat, at least one sat. */
function voucherFee(amount: Msats): Msats {
  const share = msats(ceilDivide(amount, 100n))
  return share > sats(1) ? share : sats(1)
}

/** A code that no voucher has had yet. The unique index has the last word. */
async function freshCode({ database, entropy }: ServiceParts): Promise<string> {
  for (;;) {
    const code = newVoucherCode(entropy)
    if ((await database.read.voucher.count({ where: { code } })) === 0) return code
  }
}
