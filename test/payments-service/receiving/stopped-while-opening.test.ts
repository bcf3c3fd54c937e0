import { expect, it } from 'vitest'
import { silentLogger } from '../../../src/lib/logger.ts'
import type { ServiceParts } from '../../../src/payments-service/machines/service-parts.ts'
import { startSettlementConsumer } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { ManualClock } from '../../support/manual-clock.ts'

it('a service that stops while it reads where the book stands asks its node for nothing more', async () => {
  const { promise: read, resolve: answer } = Promise.withResolvers<null>()
  const { promise: reading, resolve: reads } = Promise.withResolvers<void>()
  const asked: unknown[] = []
  const parts = {
    ...{ clock: new ManualClock(), logger: silentLogger },
    leases: { untilHas: async () => new AbortController().signal },
    database: {
      read: {
        cursor: {
          findUnique() {
            reads()
            return read
          },
        },
      },
    },
    backend: {
      // It hears of an end that comes, as an event does, and not of one that has been.
      settledInvoices(_cursor: string | undefined, signal: AbortSignal) {
        asked.push(signal)
        return {
          [Symbol.asyncIterator]: () => ({ next: () => new Promise((end) => signal.addEventListener('abort', end)) }),
        }
      },
    },
  }
  const consumer = startSettlementConsumer(parts as unknown as ServiceParts)
  await reading
  const closed = consumer.close()
  answer(null)
  await closed
  expect(asked).toEqual([])
})
