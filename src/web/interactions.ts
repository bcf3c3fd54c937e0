import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import { asSigned, ed25519Key, HeardOnce } from './discord-signature.ts'

/** The settings of Discord's interactions by HTTP, and the function that answers them. */
export interface Interactions {
  /** The application's key, 64 hexadecimal digits. */
  readonly publicKey: string
  /**
   * Resolves to Discord's first response; undefined if none is ready in time. `delivered` resolves when that response
   * has been sent, and rejects if it could not be sent.
   */
  readonly hear: (interaction: unknown, delivered: Promise<void>) => Promise<object | undefined>
}

/** The path of the "Interactions Endpoint URL". */
export const INTERACTIONS_PATH = '/interactions'

/** Large enough for a message of 4,000 characters with its embeds, author and mentions, in Discord's JSON. */
const MAX_BODY_BYTES = 512 * 1_024
const PING = 1
const PONG = { type: 1 }

/**
 * Adds `POST /interactions`. The route answers the requests that Discord signed, and refuses all others with a 401, as
 * Discord demands: it sends wrong signatures itself, and removes an address that accepts them.
 * https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint-validating-security-request-headers
 */
export function addInteractions(app: FastifyInstance, { publicKey, hear }: Interactions, clock: Clock): void {
  const key = ed25519Key(publicKey)
  const heard = new HeardOnce(clock)
  app.post(INTERACTIONS_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const interaction = asSigned(request, key, clock)
    if (interaction.type === PING) return PONG
    // A copied request is signed as well.
    if (!heard.isNew(String(interaction.id)))
      throw new HttpProblem(409, 'repeated', 'This interaction has already been answered.')
    const response = await hear(interaction, deliveryOf(reply))
    if (response === undefined)
      throw new HttpProblem(503, 'not_answered', 'The bot cannot answer this interaction right now.')
    return response
  })
}

/** Resolves when the whole answer has been handed to the network, and rejects if the connection is lost before that. */
function deliveryOf(reply: FastifyReply): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  reply.raw.once('finish', resolve)
  reply.raw.once('close', () => reject(new Error('Discord closed the connection before the response was sent')))
  return promise
}
