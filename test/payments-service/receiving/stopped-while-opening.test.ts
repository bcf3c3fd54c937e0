import { expect, it } from 'vitest'
import { silentLogger } from '../../../src/lib/logger.ts'
import type { ServiceParts } from '../../../src/payments-service/engine/service-parts.ts'
import { startSettlementConsumer } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { ManualClock } from '../../support/manual-clock.ts'

it('a service that stops while it reads the book opens no stream at its node', async () => {
  const { promise: read, resolve: answer } = Promise.withResolvers<null>()
  const { promise: reading, resolve: reads } = Promise.withResolvers<void>()
  const asked: unknown[] = []
  const parts = {
    ...{ clock: new ManualClock(), logger: silentLogger },
    ownership: { untilHas: async () => new AbortController().signal },
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
      // A node may hear of an end that comes, as of an event, and not of one that has been: then it would never end.
      async *settledInvoices(cursor: string | undefined) {
        asked.push(cursor)
        yield* []
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
