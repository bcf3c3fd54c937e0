import { PaymentsError } from '../../clients/typescript/src/outcomes.ts'
import { type Entropy, token } from '../lib/entropy.ts'
import type { PaymentsClient } from './client.ts'
import { EXAMPLE_INVOICE } from './request-fields.ts'

type Decoder = Pick<PaymentsClient, 'decodeCharge'>

/** The example invoice in upper case: the same invoice, but a different request. */
const SAME_INVOICE_AS_ANOTHER_REQUEST = EXAMPLE_INVOICE.toUpperCase()

/**
 * Finds out whether a provider replays the answer to an Idempotency-Key: decodes the same invoice twice under one key,
 * which moves nothing, and looks for `Idempotency-Replayed: true` the second time. A refusal can be replayed as well.
 * Resolves to the key, or to undefined if the provider does not replay. Throws PaymentsError if the provider gave no
 * answer, or only a temporary refusal, which proves nothing.
 */
export async function probeReplay(client: Decoder, entropy: Entropy): Promise<string | undefined> {
  const idempotencyKey = `probe-${token(entropy, 16)}`
  await ask(client, EXAMPLE_INVOICE, idempotencyKey)
  return (await ask(client, EXAMPLE_INVOICE, idempotencyKey)).replayed ? idempotencyKey : undefined
}

/**
 * Resolves to whether a provider still remembers the request under a key from `probeReplay`, and so remembers later
 * keys as well. Sends another request under that key, which such a provider refuses as `idempotency_key_reused`. A
 * replayed answer would prove nothing, because a request that the network delivers twice may get the answer to its own
 * first delivery. Throws PaymentsError if the provider gave no answer, or only a temporary refusal.
 */
export async function remembersKey(client: Decoder, idempotencyKey: string): Promise<boolean> {
  return (await ask(client, SAME_INVOICE_AS_ANOTHER_REQUEST, idempotencyKey)).code === REUSED
}

/** The code with which a provider refuses another request under a known key. */
const REUSED = 'idempotency_key_reused'

/**
 * The statuses of temporary refusals: the API key is wrong, there were too many requests, or the provider has a fault.
 */
const PASSING = new Set([401, 429, 503])

interface ProbeAnswer {
  readonly replayed: boolean
  /** The refusal's code, if the answer is a refusal. */
  readonly code?: string | undefined
}

/** Sends the request only once, because a second attempt could get a replay of the answer to the first. */
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
