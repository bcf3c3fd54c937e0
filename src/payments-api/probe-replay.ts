import { PaymentsError } from '../../clients/typescript/src/outcomes.ts'
import { type Entropy, token } from '../lib/entropy.ts'
import type { PaymentsClient } from './client.ts'
import { EXAMPLE_INVOICE } from './request-fields.ts'

type Decoder = Pick<PaymentsClient, 'decodeCharge'>

/** The same invoice in BOLT 11's other case, which makes a different request. */
const SAME_INVOICE_AS_ANOTHER_REQUEST = EXAMPLE_INVOICE.toUpperCase()

/**
 * Finds out whether a provider replays the answer to an Idempotency-Key: decodes the same invoice twice under one key,
 * which moves nothing, and looks for `Idempotency-Replayed: true` the second time. A refusal can be replayed as well.
 * Resolves to that key, or undefined if the provider does not replay. Throws PaymentsError if the provider did not
 * answer, which proves nothing.
 */
export async function probeReplay(client: Decoder, entropy: Entropy): Promise<string | undefined> {
  const idempotencyKey = `probe-${token(entropy, 16)}`
  await ask(client, EXAMPLE_INVOICE, idempotencyKey)
  return (await ask(client, EXAMPLE_INVOICE, idempotencyKey)).replayed ? idempotencyKey : undefined
}

/**
 * Whether a provider still knows the request behind a key of `probeReplay`, and so remembers later keys. It gets
 * another request under that key, and must refuse it as `idempotency_key_reused`. A replayed answer would prove
 * nothing, because a request that the network delivered twice is answered by its own first delivery. Throws
 * PaymentsError if the provider did not answer.
 */
export async function remembersKey(client: Decoder, idempotencyKey: string): Promise<boolean> {
  return (await ask(client, SAME_INVOICE_AS_ANOTHER_REQUEST, idempotencyKey)).code === REUSED
}

/** The codes that the provider answers if a known key comes with another request. */
const REUSED = 'idempotency_key_reused'

/** The key is wrong, there were too many requests, or the provider has a fault. */
const PASSING = new Set([401, 429, 503])

interface ProbeAnswer {
  readonly replayed: boolean
  /** A refusal's code. */
  readonly code?: string | undefined
}

/** Asks once, because a second request would be a replay of the first. */
async function ask(client: Decoder, invoice: string, idempotencyKey: string): Promise<ProbeAnswer> {
  try {
    return await client.decodeCharge({ invoice }, { idempotencyKey, once: true })
  } catch (error) {
    // A final refusal (no such operation, no such network) is an answer, too. A temporary one is not, and the same
    // provider may replay another answer later.
    const isAnswer = (refusal: PaymentsError) =>
      refusal.code === REUSED || (refusal.kind === 'refused' && !PASSING.has(refusal.status ?? 0))
    if (error instanceof PaymentsError && isAnswer(error)) return error
    throw error
  }
}
