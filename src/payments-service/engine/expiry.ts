import { startWorker, type Worker } from '../../lib/worker.ts'
import type { ServiceParts } from './service-parts.ts'

const EVERY_MS = 10_000

/**
 * Starts a worker that calls `expireDue` every ten seconds, to return the sats of expired records of one kind. `what`
 * is the name of this kind in the log. The worker pauses while the wall clock cannot be trusted. If several services
 * share the book, the worker of only one of them acts.
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
