import { afterEach, beforeEach, expect } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import {
  createPaymentsClient,
  type PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
} from '../../src/payments-api/payments-api.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { json, type LoopbackProvider, startLoopbackProvider } from './loopback-provider.ts'

/**
 * The API key of the clients in these tests. Each test has a new provider, a clock that stands still, and clients that
 * are closed afterwards, if its file calls `eachTestHasAProvider` once.
 */
export const API_KEY = 'sk_test_very-secret'
export const tip = { amount: sats(500), gamertag: 'bob', description: 'thanks' }
export const settled = {
  id: 'p1',
  status: 'settled',
  transactionId: 't1',
  receiverId: 'u1',
  amount: '500000',
  comment: 'thanks',
  settledAt: '2030-01-01T00:00:00.000Z',
}
export const paid = json(200, { success: true, message: 'Paid.', data: settled })
export const wallet = json(200, { message: 'Wallet.', data: { unit: 'msats', balance: '1234567' } })

export let provider: LoopbackProvider
export let clock: ManualClock
const clients: PaymentsClient[] = []

/** Returns a client of this test's provider. */
export function connect(options: Partial<PaymentsClientOptions> = {}): PaymentsClient {
  const client = createPaymentsClient({ baseUrl: provider.baseUrl, apiKey: API_KEY, clock, ...options })
  clients.push(client)
  return client
}

/**
 * Resolves to the error with which a call ends. The clock advances through pauses between attempts, but not to time
 * limits.
 */
export async function failure(call: Promise<unknown>): Promise<PaymentsError> {
  const outcome = await clock.advanceUntil(
    call.then(
      () => undefined,
      (error: unknown) => error,
    ),
    5_000,
  )
  if (!(outcome instanceof PaymentsError)) throw new Error(`expected a PaymentsError, got ${String(outcome)}`)
  return outcome
}

export function eachTestHasAProvider(): void {
  beforeEach(async () => {
    provider = await startLoopbackProvider()
    clock = new ManualClock()
  })

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
    await provider.close()
    expect(clock.pending, 'timers left behind').toBe(0)
  })
}
