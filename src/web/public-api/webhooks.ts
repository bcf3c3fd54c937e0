import { pauseAfterFailures } from '../../lib/pause-after-failures.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { ServerEvents, WebhookSight } from '../../tipping/tipping.ts'
import { eventInJson, type ServerFeedOptions } from './event-feed.ts'

export interface WebhookOptions extends Omit<ServerFeedOptions, 'events'> {
  readonly events: Pick<ServerEvents, 'deliver'>
  /** Whether Discord is connected now. */
  readonly isConnected: () => boolean
  /** Whether Discord reports a server to this process now. */
  readonly knows: (guild: string) => boolean
}

const LOOK_EVERY_MS = 1_000

/** Sends events to the addresses that moderators entered, for as long as the web server runs. */
export function startWebhooks(options: WebhookOptions, moderates: WebhookSight['moderates']): Worker {
  const { events, everybodySees, knows, isConnected, testMoney, clock, logger } = options
  const sight = {
    ...{ everybodySees, moderates },
    knows: (guild: string) => isConnected() && knows(guild),
    body: (event) => eventInJson(event, testMoney()),
  } satisfies WebhookSight
  return startWorker({
    clock,
    round: () => events.deliver(sight),
    pauseMs: (failures) => (failures > 0 ? pauseAfterFailures(failures) : LOOK_EVERY_MS),
    failed: (err) => logger.warn({ err }, 'webhooks could not be looked at; it is tried again'),
  })
}
