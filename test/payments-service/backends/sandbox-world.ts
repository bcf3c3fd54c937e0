import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import {
  createSandboxNetwork,
  type SandboxNetwork,
  type SandboxOptions,
} from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { ManualClock } from '../../support/manual-clock.ts'

export const TEN_BTC = sats(1_000_000_000)
export const maxFee = sats(100)
/** A time limit longer than any payment hangs in these tests. */
export const timeoutMs = 15 * 86_400_000

const noFetch = async (): Promise<never> => {
  throw new Error('this test fetches nothing')
}

/** Opens a sandbox network on a clock that stands still; it closes when the test ends. */
export function open(options: Partial<SandboxOptions> = {}): SandboxNetwork & { clock: ManualClock } {
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock()
  const network = createSandboxNetwork({
    file: ':memory:',
    entropy: systemEntropy,
    fetch: noFetch,
    ...options,
    clock,
  })
  onTestFinished(() => network.close())
  return { ...network, clock }
}

/** Returns the path of a network's file in a folder that is removed after the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-network-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'network.sqlite')
}

/** Starts a payment from our node for a new invoice of the outside wallet. */
export function payOutside({ backend, outside }: SandboxNetwork, amount: Msats = sats(1_000)) {
  const { invoice, paymentHash } = outside.createInvoice({ amount })
  const again = () => backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
  return { paymentHash, invoice, again, outcome: again() }
}

export const ask = { amount: sats(1_000), description: { text: '' }, expiresInSeconds: 60 }
