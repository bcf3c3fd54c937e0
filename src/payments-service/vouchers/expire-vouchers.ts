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
 * Gives back the sats of vouchers that nobody has redeemed in time. One that a wallet is being paid for is left alone, however late it
 * is: the end of that payment decides, and if it fails, the next round gives them back.
 */
export function startVoucherExpiry(parts: ServiceParts): Worker {
  return startExpiry(parts, 'vouchers', expireDue)
}

/** One after the other, in their order: those that wallets are being paid for hide none that come after them. */
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

/** Its end in the journal is that of a revocation, so it happens once, and never beside another end. */
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
      // The journal refuses what has ended; there is nothing else to ask of the row.
      conditions: [{ table: 'Voucher', key: { id }, refusal: () => undefined, set }],
    })
  } catch (error) {
    if (!isOver(error)) throw error
  }
}
