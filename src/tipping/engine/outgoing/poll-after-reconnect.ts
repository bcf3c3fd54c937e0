import { now } from '../../core/context.ts'
import type { OutgoingContext } from './outgoing.ts'
import { forgetReplays, REPLAY_WITHIN_MS } from './replays.ts'

/**
 * Returns a function that polls pending payments immediately when a lost provider returns. Call that function from time
 * to time. While it is not known whether keys may be sent again, the bot polls such payments ever less often. When the
 * provider is known to replay keys again, the payments whose keys are recent enough are all due immediately. A provider
 * that stops replaying keys counts as having forgotten the keys that it was sent.
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
