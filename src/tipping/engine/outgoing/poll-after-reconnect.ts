import { now } from '../../core/context.ts'
import type { OutgoingContext } from './outgoing.ts'
import { forgetReplays, REPLAY_WITHIN_MS } from './replays.ts'

/**
 * Payments that were sent when the provider was lost are polled ever more seldom while nobody knows whether keys may be
 * sent again. A provider that was away when the bot started says so later: then all of it is looked into at once. One
 * that stops replaying keys has forgotten those that it was sent. To be called now and then.
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
    // Their ends may be learned by sending their keys again.
    const kind = { in: context.outgoingKinds.map(({ name }) => name) }
    const bornAt = { gt: new Date(nextAt.getTime() - REPLAY_WITHIN_MS) }
    await context.commit({
      write: (tx) => tx.pollJob.updateMany({ where: { kind, nextAt: { gt: nextAt }, bornAt }, data: { nextAt } }),
    })
    known = true
    void context.poller.wake()
  }
}
