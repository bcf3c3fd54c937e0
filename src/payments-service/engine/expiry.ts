import { startWorker, type Worker } from '../../lib/worker.ts'
import type { ServiceParts } from './service-parts.ts'

const EVERY_MS = 10_000

/**
 * Returns the sats of expired records every ten seconds. `expireDue` does so for one kind, which `what` names in the
 * log. Pauses while the wall clock cannot be trusted. If several services share the book, only one of them does this.
 */
export function startExpiry(
  parts: ServiceParts,
  what: string,
  expireDue: (parts: ServiceParts, closing: AbortSignal) => Promise<void>,
): Worker {
  async function round(closing: AbortSignal): Promise<void> {
    if (parts.bookClock.isSteady() && parts.ownership.has('expiry')) await expireDue(parts, closing)
  }
  const failed = (error: unknown) => parts.logger.error({ err: error }, `${what} could not be expired`)
  return startWorker({ clock: parts.clock, round, pauseMs: EVERY_MS, failed })
}
