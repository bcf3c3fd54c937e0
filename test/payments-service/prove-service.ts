import { expect } from 'vitest'
import type { Service } from '../../src/payments-service/service.ts'

/**
 * Proves a service's books: every account equals its moves and stands on its side, and what is held or in escrow is
 * exactly what open payments, withdrawal requests and vouchers hold.
 */
export async function proveService({ parts: { ledger, database } }: Pick<Service, 'parts'>): Promise<void> {
  const proof = await ledger.prove()
  expect(proof.faults).toEqual([])
  const [payments, requests, vouchers] = await Promise.all([
    database.read.payment.findMany({
      where: { status: { in: ['held', 'sending', 'unknown'] }, withdrawalRequestId: null },
    }),
    database.read.withdrawalRequest.findMany({ where: { status: { in: ['pending', 'processing'] } } }),
    database.read.voucher.findMany({ where: { redeemedAt: null, revokedAt: null } }),
  ])
  const held = [...payments, ...requests].reduce((sum, open) => sum + open.amount + open.maxFee, 0n)
  expect({ in_flight: proof.totals.in_flight ?? 0n }).toEqual({ in_flight: held })
  const escrow = vouchers.reduce((sum, voucher) => sum + voucher.amount, 0n)
  expect({ voucher_escrow: proof.totals.voucher_escrow ?? 0n }).toEqual({ voucher_escrow: escrow })
}
