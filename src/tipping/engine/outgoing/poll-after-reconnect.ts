import { now } from '../../core/context.ts'
import type { OutgoingContext } from './outgoing.ts'
import { forgetReplays, REPLAY_WITHIN_MS } from './replays.ts'

/**
 * Polls pending payments at once when a lost provider returns. Without knowing whether keys may be sent again, the bot
 * polls such payments ever less often. When the provider answers, they are all due immediately. A provider that stops
 * replaying keys has forgotten the keys that it was sent. Call this from time to time.
 */
export function createPollAfterReconnect(context: OutgoingContext): () => Promise<void> {
  let known = context.replaysKeys()
  return async () => {
    if (known && !context.replaysKeys()) {
      await forgetReplays(context)
      known = false
    }
    if (known || !context.replaysKeys()) return
    const nextAt = now(context)
    // Sending their keys again may show their outcome.
    const kind = { in: context.outgoingKinds.map(({ name }) => name) }
    const bornAt = { gt: new Date(nextAt.getTime() - REPLAY_WITHIN_MS) }
    await context.commit({
      write: (tx) => tx.pollJob.updateMany({ where: { kind, nextAt: { gt: nextAt }, bornAt }, data: { nextAt } }),
    })
    known = true
    void context.poller.wake()
  }
}
