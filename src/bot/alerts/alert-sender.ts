import type { REST } from '@discordjs/rest'
import { Routes } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { type RoundWorker, startWorker } from '../../lib/worker.ts'
import type { AlertView, NewsKind, Tipping } from '../../tipping/tipping.ts'
import { cut, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import type { Messenger } from '../transport/messenger.ts'

/** Sends each alert to the operators' channel, and retries until the alert arrives. */
export interface AlertSender {
  start(): void
  /** Resolves when no alert is being sent. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface AlertSenderOptions {
  readonly tipping: Pick<Tipping, 'cards' | 'administration'>
  readonly messenger: Pick<Messenger, 'post'>
  readonly clock: Clock
  readonly log: Logger
  /** The operators' channel; undefined if operators only read the log. */
  readonly channel: string | undefined
}

const BATCH_SIZE = 20
/** The maximum length of an alert's text after escaping. Discord permits 2,000 characters in a message. */
const MAX_TEXT_LENGTH = 1_900
const PAUSE_MS = 60_000
const LATE_MS = 60_000
/** The icons of alerts that report no trouble. All other alerts have a siren. */
const ICONS: Readonly<Record<NewsKind, string>> = {
  paused: '⏸️',
  resumed: '▶️',
  restored: '⏸️',
  'node-back': '✅',
  'decision-proposed': '🗳️',
  'decision-done': '✅',
  'booking-proposed': '🗳️',
  'booking-done': '✅',
  'proposal-cancelled': '↩️',
  'link-ended': '🔓',
  'wind-down-proposed': '🗳️',
  'wind-down-begun': '🏁',
  'wind-down-round': '🏁',
  'wind-down-stopped': '▶️',
  'claims-adopted': '✅',
  console: '🖥️',
}

/**
 * Returns the key for which Discord creates only one message, at most 25 characters long. An alert's id alone is not
 * enough, because a restored book may assign the same id again within the minutes for which Discord remembers keys.
 */
function onceKey({ id, at }: AlertView): string {
  return `alert-${at.getTime().toString(36)}-${id.toString(36)}`
}

/** Returns the icon of an alert: the icon of its kind if the alert is news, otherwise a siren. */
function iconOf(kind: string): string {
  return Object.entries(ICONS).find(([news]) => news === kind)?.[1] ?? '🚨'
}

/**
 * Restores mentions of people, which were escaped with everything else. Nobody is notified, because the message lists
 * nobody whom its mentions may notify.
 */
function inMentions(text: string): string {
  return text.replaceAll(/\\<@(\d{15,20})\\>/g, '<@$1>')
}

export function createAlertSender({ tipping, messenger, clock, log, channel }: AlertSenderOptions): AlertSender {
  let worker: RoundWorker | undefined
  let unsubscribe = () => {}

  async function tell(to: string): Promise<void> {
    for (const alert of await tipping.administration.untoldAlerts(BATCH_SIZE)) {
      const { id, kind, text, at } = alert
      // Discord shows when a message came, so only late cards need a time of their own.
      const late = clock.now() - at.getTime() > LATE_MS ? ` (${relative(at)})` : ''
      const content = `${iconOf(kind)} ${cut(inMentions(quotable(text, MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH)}${late}`
      await messenger.post(to, { content }, { once: onceKey(alert) })
      await tipping.administration.alertTold(id)
    }
  }

  return {
    start() {
      if (channel === undefined) return
      worker = startWorker({
        clock,
        round: () => tell(channel),
        pauseMs: (failures) => (failures === 0 ? Number.POSITIVE_INFINITY : PAUSE_MS),
        firstInMs: 0,
        failed: (error) =>
          log.error({ err: error, channel }, 'operators could not be told of an alert; it will be tried again'),
      })
      // Every alert is part of a commit, which the cards announce.
      unsubscribe = tipping.cards.subscribe(() => worker?.wake())
    },
    async settled() {
      worker?.wake()
      await worker?.idle()
    },
    async close() {
      unsubscribe()
      await worker?.close()
    },
  }
}

/**
 * Tests whether the bot sees the alert channel. Otherwise, a wrong channel would be discovered only when the first
 * alert could not be delivered.
 */
export async function tryAlertChannel(
  rest: Pick<REST, 'get'>,
  channel: string | undefined,
  log: Logger,
): Promise<void> {
  if (channel === undefined) return
  await rest.get(Routes.channel(channel)).catch((err: unknown) => {
    log.error({ err, channel }, 'The bot does not see the channel in OPERATORS_CHANNEL_ID: alerts reach only this log')
  })
}
