import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { createSandboxNetwork } from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'

/** Pays back and forth between two nodes until the process is killed; prints a word once payments are under way. */
const { backend, outside } = createSandboxNetwork({
  file: process.argv[2] ?? ':memory:',
  clock: systemClock,
  entropy: systemEntropy,
  fetch: () => Promise.reject(new Error('this process fetches nothing')),
  latencyMs: 1,
})

for (let i = 0; ; i += 1) {
  const { invoice, paymentHash } = outside.createInvoice({ amount: sats(100 + i) })
  void backend.pay({ invoice, paymentHash, amount: undefined, maxFee: sats(10), timeoutMs: 60_000 })
  const ours = await backend.createInvoice({ amount: sats(50), description: { text: '' }, expiresInSeconds: 60 })
  void outside.pay(ours.invoice)
  if (i === 20) process.stdout.write('paying\n')
  await new Promise((resolve) => setImmediate(resolve))
}
