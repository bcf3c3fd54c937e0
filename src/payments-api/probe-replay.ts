import { type Entropy, token } from '../lib/entropy.ts'
import type { PaymentsClient } from './client.ts'
import { PaymentsError } from './errors.ts'
import { EXAMPLE_INVOICE } from './request-fields.ts'

type Decoder = Pick<PaymentsClient, 'decodeCharge'>

/**
 * Finds out whether a provider replays the answer to an Idempotency-Key: decodes the same invoice twice under one key,
 * which moves nothing, and looks for `Idempotency-Replayed: true` the second time. A refusal can be replayed as well.
 * Resolves to that key, or undefined where the provider does not replay. Throws PaymentsError when the provider could not
 * be asked, which says nothing either way.
 */
export async function probeReplay(client: Decoder, entropy: Entropy): Promise<string | undefined> {
  const idempotencyKey = `probe-${token(entropy, 16)}`
  await stillReplays(client, idempotencyKey)
  return (await stillReplays(client, idempotencyKey)) ? idempotencyKey : undefined
}

/** The key is wrong, there were too many requests, the provider is in trouble. */
const PASSING = new Set([401, 429, 503])

/**
 * Whether a provider replays the answer to a key of `probeReplay`, and so remembers the keys that came after it. It is
 * asked once: a second request would be a replay of the first. Throws PaymentsError when it could not be asked.
 */
export async function stillReplays(client: Decoder, idempotencyKey: string): Promise<boolean> {
  try {
    const answer = await client.decodeCharge({ invoice: EXAMPLE_INVOICE }, { idempotencyKey, once: true })
    return answer.replayed
  } catch (error) {
    // What was refused for good (no such operation, no such network) was answered all the same; what is refused for a while
    // was not, and another answer of the same provider may be replayed later.
    if (error instanceof PaymentsError && error.kind === 'refused' && !PASSING.has(error.status ?? 0)) {
      return error.replayed
    }
    throw error
  }
}
