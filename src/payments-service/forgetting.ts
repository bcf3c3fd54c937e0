import { startWorker, type Worker } from '../lib/worker.ts'
import type { Idempotency } from './engine/http/idempotency.ts'
import { forgetWrongCodes } from './engine/limits/wrong-codes.ts'
import { forgetGamertagChanges } from './engine/names/gamertags.ts'
import { forgetCallbacks } from './engine/outbox/forget-callbacks.ts'
import type { ServiceParts } from './engine/service-parts.ts'
import { forgetLogIns } from './log-in/forget-log-ins.ts'
import { forgetInvoices } from './receiving/forget-invoices.ts'

const HOUR_MS = 3_600_000

/**
 * Deletes, once an hour, the records that nothing needs any more, so that they do not fill the database: old answers to
 * Idempotency-Keys, unpaid invoices that strangers had made, delivered callbacks, old changes of gamertags, wrong
 * voucher codes, ended log-ins. Nothing is deleted from the books. If several services share the book, only one of them
 * does this.
 */
export function startForgetting(parts: ServiceParts, idempotency: Idempotency): Worker {
  async function round(closing: AbortSignal): Promise<void> {
    // By a wrong clock, everything may seem old.
    if (!parts.bookClock.isSteady() || !parts.ownership.has('forgetting')) return
    await idempotency.forget()
    for (const forgetSome of [forgetInvoices, forgetCallbacks, forgetGamertagChanges, forgetWrongCodes, forgetLogIns]) {
      while (!closing.aborted && (await forgetSome(parts)));
    }
  }
  const failed = (error: unknown) => parts.logger.warn({ err: error }, 'what is old could not be forgotten yet')
  return startWorker({ clock: parts.clock, round, pauseMs: HOUR_MS, failed })
}
