import { type Entropy, token } from '../lib/entropy.ts'
import type { PaymentsClient } from './client.ts'
import { PaymentsError } from './errors.ts'
import { EXAMPLE_INVOICE } from './request-fields.ts'

/**
 * Finds out whether a provider replays the answer to an Idempotency-Key: decodes the same invoice twice under one key,
 * which moves nothing, and looks for `Idempotency-Replayed: true` the second time. A refusal can be replayed as well.
 * Throws PaymentsError when the provider could not be asked, which says nothing either way.
 */
export async function probeReplay(client: Pick<PaymentsClient, 'decodeCharge'>, entropy: Entropy): Promise<boolean> {
  const idempotencyKey = `probe-${token(entropy, 16)}`
  await decode(client, idempotencyKey)
  return await decode(client, idempotencyKey)
}

/** The key is wrong, there were too many requests, the provider is in trouble. */
const PASSING = new Set([401, 429, 503])

/** Whether the answer was a replay. */
async function decode(client: Pick<PaymentsClient, 'decodeCharge'>, idempotencyKey: string): Promise<boolean> {
  try {
    const answer = await client.decodeCharge({ invoice: EXAMPLE_INVOICE }, { idempotencyKey })
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
