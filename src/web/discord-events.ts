import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { asSigned, ed25519Key, HeardOnce } from './discord-signature.ts'

/** Discord's webhook events, and their listeners. */
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
 * `POST /discord-events`: who has installed the application, and who has removed it. Signed as interactions are; Discord wants an
 * empty 204 within three seconds, for its PING too. https://docs.discord.com/developers/events/webhook-events#preparing-for-events
 */
export function addDiscordEvents(app: FastifyInstance, { publicKey, told }: DiscordEvents, clock: Clock): void {
  const key = ed25519Key(publicKey)
  const heard = new HeardOnce(clock)
  app.post(DISCORD_EVENTS_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const body = asSigned(request, key, clock)
    // A copied event is signed as well; Discord sends an event again that it did not see answered.
    if (body.type === EVENT && heard.isNew(JSON.stringify(body.event))) told(body.event)
    return reply.code(204).send()
  })
}
