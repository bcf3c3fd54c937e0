import { AlreadyWritten, InsufficientFunds, type LedgerChange } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { type Holder, voucherEscrow, wallet } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { Guesser } from '../engine/limits/wrong-codes.ts'
import { operationOfVoucher } from '../engine/sending/voucher-claim-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'
import { canonicalCode } from './voucher-code.ts'
import { EXPIRY, isEnded, refuseExpired, voucherExpired } from './voucher-expiry.ts'

/** Makes a voucher's end durable, with everything else in the change. `ended` is the voucher after that end. */
type Commit<T> = (change: LedgerChange<Tx>, ended: Voucher) => Promise<T>

/**
 * Redeems a voucher: its money goes from escrow to the redeemer's wallet. Throws ServiceRefusal: voucher_not_found,
 * voucher_redeemed, voucher_revoked, voucher_expired, voucher_being_claimed, too_many_wrong_codes; and what `commit`
 * throws.
 */
export async function redeemVoucher<T>(
  parts: ServiceParts,
  by: { readonly redeemer: Holder; readonly guesser: Guesser; readonly code: string },
  commit: Commit<T>,
): Promise<T> {
  const voucher = await findByCode(parts, by.guesser, by.code, () => true)
  if (!isEnded(voucher)) refuseExpired(parts, voucher)
  const now = new Date(parts.clock.now())
  const end = {
    redeemedAt: now,
    redeemedById: by.redeemer.id,
    redeemedTransactionId: parts.entropy.uuid(),
    updatedAt: now,
  }
  return endVoucher(parts, voucher, { step: 'post', to: by.redeemer, data: end, guesser: by.guesser }, commit)
}

/**
 * Revokes a voucher: the voucher's money returns to the project that made it. Only that project can revoke the voucher.
 * Throws what `redeemVoucher` throws.
 */
export async function revokeVoucher<T>(
  parts: ServiceParts,
  by: { readonly projectId: string; readonly guesser: Guesser; readonly code: string },
  commit: Commit<T>,
): Promise<T> {
  const { projectId } = by
  const voucher = await findByCode(parts, by.guesser, by.code, (found) => found.projectId === projectId)
  const now = new Date(parts.clock.now())
  const end = { revokedAt: now, revokedById: projectId, revokedTransactionId: parts.entropy.uuid(), updatedAt: now }
  const to = { kind: 'project', id: projectId } as const
  return endVoucher(parts, voucher, { step: 'void', to, data: end, guesser: by.guesser }, commit)
}

interface End {
  readonly step: 'post' | 'void'
  readonly to: Holder
  readonly data: Partial<Voucher>
  readonly guesser: Guesser
}

/**
 * Ends a voucher. The journal lets a voucher end once, and later callers learn how it ended. While a wallet claims the
 * voucher, the escrow is empty, so only that claim can end the voucher.
 */
async function endVoucher<T>(parts: ServiceParts, voucher: Voucher, end: End, commit: Commit<T>): Promise<T> {
  const ended = { ...voucher, ...end.data }
  const change: LedgerChange<Tx> = {
    entries: [
      {
        operation: operationOfVoucher(voucher.id),
        step: end.step,
        moves: [{ from: voucherEscrow(voucher.id), to: wallet(end.to), amount: msats(voucher.amount) }],
      },
    ],
    write: async (tx) => {
      await parts.wrongCodes.refuseIn(tx, end.guesser)
      // Nobody redeems it from its expiry on, whatever happened in between.
      if (end.step === 'post') refuseExpired(parts, voucher)
      await tx.voucher.update({ where: { id: voucher.id }, data: end.data })
    },
  }
  try {
    return await commit(change, ended)
  } catch (error) {
    if (!isOver(error)) throw error
    throw whyClosed(await parts.database.read.voucher.findUniqueOrThrow({ where: { id: voucher.id } }))
  }
}

/**
 * Finds a voucher by its code. A caller without rights to the voucher gets the same answer as if there were no such
 * voucher.
 */
async function findByCode(
  { database, wrongCodes }: ServiceParts,
  guesser: Guesser,
  code: string,
  mayTouch: (voucher: Voucher) => boolean,
): Promise<Voucher> {
  await wrongCodes.refuse(guesser)
  const voucher = await database.read.voucher.findUnique({ where: { code: canonicalCode(code) } })
  if (voucher !== null && mayTouch(voucher)) return voucher
  await wrongCodes.count(guesser)
  throw new ServiceRefusal('voucher_not_found', 'There is no voucher with this code. Check it, letter by letter.')
}

/** Whether the book refused to take a voucher's sats because they are no longer in its escrow. */
export function isOver(error: unknown): boolean {
  return (
    error instanceof AlreadyWritten || (error instanceof InsufficientFunds && error.account.kind === 'voucher_escrow')
  )
}

/** Returns the refusal that explains why a voucher with an empty escrow is unavailable. */
export function whyClosed(voucher: Voucher): ServiceRefusal {
  const { redeemedAt, revokedAt, revokedById } = voucher
  if (redeemedAt !== null)
    return new ServiceRefusal(
      'voucher_redeemed',
      'This voucher has been redeemed already. Ask its maker for a new one.',
    )
  if (revokedById === EXPIRY) return voucherExpired(voucher)
  if (revokedAt !== null)
    return new ServiceRefusal('voucher_revoked', 'This voucher has been taken back by its maker. Ask for a new one.')
  return new ServiceRefusal(
    'voucher_being_claimed',
    'A wallet is claiming this voucher right now. If that payment fails, the voucher can be used again, so try again in a minute.',
  )
}
