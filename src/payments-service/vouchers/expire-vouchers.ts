import { msats } from '../../lib/money/amount.ts'
import type { Worker } from '../../lib/worker.ts'
import { voucherEscrow, wallet } from '../core/chart-of-accounts.ts'
import { startExpiry } from '../engine/expiry.ts'
import { operationOfVoucher } from '../engine/sending/voucher-claim-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'
import { isOver } from './end-voucher.ts'
import { EXPIRY } from './voucher-expiry.ts'

const BATCH_SIZE = 100

/**
 * Starts the worker that returns the sats of vouchers that nobody redeemed in time. Ignores a voucher for which a
 * wallet is being paid, however late: the outcome of that payment decides, and if the payment fails, the next round
 * returns the sats.
 */
export function startVoucherExpiry(parts: ServiceParts): Worker {
  return startExpiry(parts, 'vouchers', expireDue)
}

/** Expires the due vouchers, batch by batch. Vouchers for which wallets are being paid do not hide later vouchers. */
async function expireDue(parts: ServiceParts, closing: AbortSignal): Promise<void> {
  const now = new Date(parts.clock.now())
  let last: Voucher | undefined
  do {
    const due: Voucher[] = await parts.database.read.voucher.findMany({
      where: { redeemedAt: null, revokedAt: null, expiresAt: { lte: now }, ...(last && comesAfter(last)) },
      orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
      take: BATCH_SIZE,
    })
    await Promise.all(due.map((voucher) => expire(parts, voucher)))
    last = due.at(-1)
  } while (last !== undefined && !closing.aborted)
}

function comesAfter({ id, expiresAt }: Voucher) {
  return { OR: [{ expiresAt: { gt: expiresAt as Date } }, { expiresAt, id: { gt: id } }] }
}

/**
 * Expires a voucher. In the journal, an expiry is a revocation, so a voucher expires only once, and never in addition
 * to another end.
 */
async function expire(parts: ServiceParts, { id, projectId, amount }: Voucher): Promise<void> {
  const at = new Date(parts.clock.now())
  const to = wallet({ kind: 'project', id: projectId })
  const set = { revokedAt: at, revokedById: EXPIRY, revokedTransactionId: parts.entropy.uuid(), updatedAt: at }
  try {
    await parts.ledger.commit({
      entries: [
        {
          operation: operationOfVoucher(id),
          step: 'void',
          moves: [{ from: voucherEscrow(id), to, amount: msats(amount) }],
        },
      ],
      // The journal refuses a voucher that has ended, so the row needs no other condition.
      conditions: [{ table: 'Voucher', key: { id }, refusal: () => undefined, set }],
    })
  } catch (error) {
    if (!isOver(error)) throw error
  }
}
