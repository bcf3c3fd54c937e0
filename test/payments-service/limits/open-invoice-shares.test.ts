import { expect, it } from 'vitest'
import {
  createOpenInvoiceShares,
  type OpenInvoiceShares,
} from '../../../src/payments-service/machines/limits/open-invoice-shares.ts'

/** A database in which every invoice is open. */
const read = {
  invoice: {
    findMany: async ({ where }: { where: { paymentHash: { in: string[] } } }) =>
      where.paymentHash.in.map((paymentHash) => ({ paymentHash })),
  },
} as unknown as Parameters<typeof createOpenInvoiceShares>[0]['read']

const ask = (shares: OpenInvoiceShares, made: Promise<string>) =>
  shares.within({ receiver: 'charge', payer: 'one', share: 2 }, async () => ({ paymentHash: await made }))

it('counts an invoice from the moment at which it is asked for', async () => {
  const shares = createOpenInvoiceShares({ read })
  const { promise, resolve } = Promise.withResolvers<string>()
  const asked = [1, 2, 3, 4].map(() => ask(shares, promise))
  resolve('hash')
  expect((await Promise.all(asked)).filter((made) => made !== undefined)).toHaveLength(2)
})

it('gives the place back when no invoice could be made', async () => {
  const shares = createOpenInvoiceShares({ read })
  for (let i = 0; i < 3; i += 1) await expect(ask(shares, Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await ask(shares, Promise.resolve('hash'))).toEqual({ paymentHash: 'hash' })
})
