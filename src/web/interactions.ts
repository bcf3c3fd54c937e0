import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import { asSigned, ed25519Key, HeardOnce } from './discord-signature.ts'

/** Discord's interactions by HTTP, and who answers them. */
export interface Interactions {
  /** The application's key, 64 hexadecimal digits. */
  readonly publicKey: string
  /**
   * Resolves to Discord's first response; undefined when there is none in time. `delivered` resolves when that response was
   * sent, and rejects when it could not be.
   */
  readonly hear: (interaction: unknown, delivered: Promise<void>) => Promise<object | undefined>
}

/** The path of the "Interactions Endpoint URL". */
export const INTERACTIONS_PATH = '/interactions'

/** A message of 4,000 characters with its embeds, its author and what it names, in Discord's JSON. */
const MAX_BODY_BYTES = 512 * 1_024
const PING = 1
const PONG = { type: 1 }

/**
 * `POST /interactions`: what Discord signed is answered, everything else is a 401, as Discord demands: it tries wrong
 * signatures itself, and takes the address away where they are believed.
 * https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint-validating-security-request-headers
 */
export function addInteractions(app: FastifyInstance, { publicKey, hear }: Interactions, clock: Clock): void {
  const key = ed25519Key(publicKey)
  const heard = new HeardOnce(clock)
  app.post(INTERACTIONS_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const interaction = asSigned(request, key, clock)
    if (interaction.type === PING) return PONG
    // A request that somebody has copied is signed as well.
    if (!heard.isNew(String(interaction.id))) throw new HttpProblem(409, 'repeated', 'This interaction was answered.')
    const response = await hear(interaction, deliveryOf(reply))
    if (response === undefined) throw new HttpProblem(503, 'not_answered', 'Nothing here answers this interaction now.')
    return response
  })
}

/** Resolves when the answer was handed to the network whole, and rejects when its connection was lost before. */
function deliveryOf(reply: FastifyReply): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  reply.raw.once('finish', resolve)
  reply.raw.once('close', () => reject(new Error('Discord did not wait for the acknowledgement')))
  return promise
}
