import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import type { Worker } from '../../lib/worker.ts'
import { inFlight, wallet } from '../core/chart-of-accounts.ts'
import { startExpiry } from '../engine/expiry.ts'
import { operationOfRequest, withdrawalRequestCallback } from '../engine/sending/withdrawal-request-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { WithdrawalRequest } from '../generated/client.ts'

const BATCH_SIZE = 100

class Claimed extends Error {
  override name = 'Claimed'
}

/**
 * Starts the worker that voids the reserves of withdrawal requests that expire unclaimed. A request that is being
 * claimed is ignored, even long after its expiry: the outcome of its payment decides what happens to the reserve.
 */
export function startWithdrawalExpiry(parts: ServiceParts): Worker {
  return startExpiry(parts, 'withdrawal requests', expireDue)
}

async function expireDue(parts: ServiceParts, closing: AbortSignal): Promise<void> {
  for (;;) {
    const due = await parts.database.read.withdrawalRequest.findMany({
      where: { status: 'pending', expiresAt: { lte: new Date(parts.clock.now()) } },
      orderBy: { expiresAt: 'asc' },
      take: BATCH_SIZE,
    })
    if (due.length === 0 || closing.aborted) return
    await Promise.all(due.map((request) => expire(parts, request)))
  }
}

/** Voids a withdrawal request's reserve, and marks the request as expired, if nobody has claimed it. */
export async function expire(parts: ServiceParts, request: WithdrawalRequest): Promise<void> {
  const payer = { kind: 'project', id: request.projectId } as const
  try {
    await parts.ledger.commit({
      entries: [
        {
          operation: operationOfRequest(request.id),
          step: 'void',
          moves: [{ from: inFlight(payer), to: wallet(payer), amount: msats(request.amount + request.maxFee) }],
        },
      ],
      rows: withdrawalRequestCallback(parts, { ...request, status: 'expired' }),
      write: async (tx) => {
        const where = { id: request.id, status: 'pending' }
        const { count } = await tx.withdrawalRequest.updateMany({ where, data: { status: 'expired' } })
        if (count !== 1) throw new Claimed(request.id)
      },
    })
  } catch (error) {
    if (!(error instanceof Claimed || error instanceof AlreadyWritten)) throw error
  }
}
