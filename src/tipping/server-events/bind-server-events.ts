import type { TippingContext } from '../engine/tipping-context.ts'
import { eventsAfter, latestEntry } from './read-events.ts'
import type { ServerEvents } from './server-events.ts'
import { Webhooks } from './webhooks.ts'

export function bindServerEvents(context: TippingContext): ServerEvents {
  const webhooks = new Webhooks(context)
  return {
    latest: () => latestEntry(context),
    after: (cursor, most) => eventsAfter(context, cursor, most),
    deliver: (sight) => webhooks.deliver(sight),
  }
}
