import { type PaymentsClient, PaymentsError, probeReplay } from '../payments-api/payments-api.ts'
import type { Surroundings } from './surroundings.ts'

/** Whether the provider is known to replay the answer to an Idempotency-Key. */
export interface ReplayKnowledge {
  readonly known: () => boolean
  /** Asks the provider, again and again until it is known to replay; resolves after the first try. */
  learn(client: PaymentsClient): Promise<void>
  close(): void
}

const AFTER_SILENCE_MS = 30_000
/** A "no" may be a gateway's word while the provider behind it was away; and providers learn. */
const AFTER_NO_MS = 15 * 60_000

/** Until the provider has shown that it replays, nothing that moves money is ever sent twice. */
export function createReplayKnowledge({ clock, entropy, logger }: Surroundings): ReplayKnowledge {
  let replays = false
  let cancel: (() => void) | undefined
  let closed = false
  const again = (knowledge: ReplayKnowledge, client: PaymentsClient, ms: number) => {
    if (!closed) cancel = clock.after(ms, () => void knowledge.learn(client))
  }
  return {
    known: () => replays,
    async learn(client) {
      try {
        replays = await probeReplay(client, entropy)
        logger.info({ replays }, 'the provider was asked whether it replays idempotency keys')
        if (!replays) again(this, client, AFTER_NO_MS)
      } catch (error) {
        if (error instanceof PaymentsError && error.status === 401) {
          logger.error(
            'PAYMENTS_API_KEY is not accepted by PAYMENTS_BASE_URL: nothing can be paid in or out until it is',
          )
        }
        logger.warn({ reason: String(error) }, 'the provider could not be asked whether it replays idempotency keys')
        again(this, client, AFTER_SILENCE_MS)
      }
    },
    close() {
      closed = true
      cancel?.()
    },
  }
}
