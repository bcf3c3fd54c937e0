import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'

/** Who revoked a voucher whose time was over: nobody. */
export const EXPIRY = 'expiry'

/** Whether a voucher was redeemed, revoked, or has expired and given its sats back. */
export function isEnded({ redeemedAt, revokedAt }: Pick<Voucher, 'redeemedAt' | 'revokedAt'>): boolean {
  return redeemedAt !== null || revokedAt !== null
}

/** Whether the time of a voucher is over, from the very moment of its end. By a wrong clock, none is valid for longer. */
export function isPast(
  { bookClock }: Pick<ServiceParts, 'bookClock'>,
  { expiresAt }: Pick<Voucher, 'expiresAt'>,
): boolean {
  return expiresAt !== null && expiresAt.getTime() <= bookClock.latest()
}

/** Throws ServiceRefusal (voucher_expired). */
export function refusePast(parts: Pick<ServiceParts, 'bookClock'>, voucher: Voucher): void {
  if (isPast(parts, voucher)) throw expired(voucher)
}

export function expired({ expiresAt }: Voucher): ServiceRefusal {
  const when = expiresAt === null ? '' : ` at ${expiresAt.toISOString()}`
  return new ServiceRefusal(
    'voucher_expired',
    `This voucher expired${when}, and its sats go back to its maker. Ask its maker for a new one.`,
  )
}
