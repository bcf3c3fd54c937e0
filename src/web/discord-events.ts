import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { asSigned, ed25519Key, HeardOnce } from './discord-signature.ts'

/** The settings of Discord's webhook events, and their listener. */
export interface DiscordEvents {
  /** The application's key, 64 hexadecimal digits. */
  readonly publicKey: string
  readonly told: (event: unknown) => void
}

/** The path of the application's "Webhook Events URL". */
export const DISCORD_EVENTS_PATH = '/discord-events'

const MAX_BODY_BYTES = 64 * 1_024
const EVENT = 1

/**
 * Adds `POST /discord-events`, on which Discord reports who has installed or removed the application. Requests are
 * signed like interactions. Discord expects an empty 204 within three seconds, also in answer to its PING.
 * https://docs.discord.com/developers/events/webhook-events#preparing-for-events
 */
export function addDiscordEvents(app: FastifyInstance, { publicKey, told }: DiscordEvents, clock: Clock): void {
  const key = ed25519Key(publicKey)
  const heard = new HeardOnce(clock)
  app.post(DISCORD_EVENTS_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const body = asSigned(request, key, clock)
    // A copied event is signed as well, and Discord sends an event again if it saw no answer.
    if (body.type === EVENT && heard.isNew(JSON.stringify(body.event))) told(body.event)
    return reply.code(204).send()
  })
}
