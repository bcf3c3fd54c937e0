import { type Entropy, token } from '../lib/entropy.ts'
import type { PaymentsClient } from './client.ts'
import { PaymentsError } from './errors.ts'

/** An invoice to ask about: the first example of BOLT11 itself, a donation of any amount, long expired. */
const EXAMPLE_INVOICE =
  'lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql'

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

/** Whether the answer was a replay. */
async function decode(client: Pick<PaymentsClient, 'decodeCharge'>, idempotencyKey: string): Promise<boolean> {
  try {
    const answer = await client.decodeCharge({ invoice: EXAMPLE_INVOICE }, { idempotencyKey })
    return answer.replayed
  } catch (error) {
    // What was refused for good (no such operation, no such network) was answered all the same.
    if (error instanceof PaymentsError && error.kind === 'refused' && error.status !== 401 && error.status !== 429) {
      return error.replayed
    }
    throw error
  }
}
