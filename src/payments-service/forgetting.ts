import type { Worker } from './core/worker.ts'
import type { Idempotency } from './machines/http/idempotency.ts'
import { forgetGamertagChanges } from './machines/names/gamertags.ts'
import { forgetCallbacks } from './machines/outbox/forget-callbacks.ts'
import type { ServiceParts } from './machines/service-parts.ts'
import { forgetInvoices } from './receiving/forget-invoices.ts'

const HOUR_MS = 3_600_000

/**
 * Takes out of the database, once an hour, what nothing needs any more and what would fill it: old answers to
 * Idempotency-Keys, invoices that strangers had made and nobody paid, callbacks that were delivered, old changes of
 * gamertags. The books keep all.
 */
export function startForgetting(parts: ServiceParts, idempotency: Idempotency): Worker {
  let closed = false
  let cancel = parts.clock.after(HOUR_MS, begin)
  let round = Promise.resolve()

  function begin(): void {
    round = work().finally(() => {
      if (!closed) cancel = parts.clock.after(HOUR_MS, begin)
    })
  }

  async function work(): Promise<void> {
    // By a clock that is wrong, everything may seem old.
    if (!parts.bookClock.isSteady()) return
    try {
      await idempotency.forget()
      for (const forgetSome of [forgetInvoices, forgetCallbacks, forgetGamertagChanges]) {
        while (!closed && (await forgetSome(parts)));
      }
    } catch (error) {
      parts.logger.warn({ err: error }, 'what is old could not be forgotten yet')
    }
  }

  return {
    async close() {
      closed = true
      cancel()
      await round
    },
  }
}
