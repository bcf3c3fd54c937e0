import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'

/** The `revokedById` of a voucher that expired, and that nobody revoked. */
export const EXPIRY = 'expiry'

/** Whether a voucher was redeemed or revoked, or has expired and had its sats returned. */
export function isEnded({ redeemedAt, revokedAt }: Pick<Voucher, 'redeemedAt' | 'revokedAt'>): boolean {
  return redeemedAt !== null || revokedAt !== null
}

/**
 * Whether a voucher has expired, from the very millisecond of `expiresAt`. A wrong clock does not make any voucher
 * valid for longer.
 */
export function isExpired(
  { bookClock }: Pick<ServiceParts, 'bookClock'>,
  { expiresAt }: Pick<Voucher, 'expiresAt'>,
): boolean {
  return expiresAt !== null && expiresAt.getTime() <= bookClock.latest()
}

/** Throws ServiceRefusal (voucher_expired) if a voucher has expired. */
export function refuseExpired(parts: Pick<ServiceParts, 'bookClock'>, voucher: Voucher): void {
  if (isExpired(parts, voucher)) throw voucherExpired(voucher)
}

export function voucherExpired({ expiresAt }: Voucher): ServiceRefusal {
  const when = expiresAt === null ? '' : ` at ${expiresAt.toISOString()}`
  return new ServiceRefusal(
    'voucher_expired',
    `This voucher expired${when}, and its sats go back to its maker. Ask its maker for a new one.`,
  )
}
