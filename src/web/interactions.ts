import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'

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
/** Discord's clock and ours may be apart by this, and an interaction this old is answered by nobody. */
const MAX_AGE_MS = 5 * 60_000
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
    const body = typeof request.body === 'string' ? request.body : ''
    authenticate(request, body, key, clock)
    const interaction = parse(body)
    if (interaction.type === PING) return PONG
    // A request that somebody has copied is signed as well.
    if (!heard.isNew(String(interaction.id))) throw new HttpProblem(409, 'repeated', 'This interaction was answered.')
    const response = await hear(interaction, deliveryOf(reply))
    if (response === undefined) throw new HttpProblem(503, 'not_answered', 'Nothing here answers this interaction now.')
    return response
  })
}

/** The ids of interactions, for as long as their signature is believed. */
class HeardOnce {
  readonly #clock: Clock
  readonly #ids = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isNew(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    this.#clock.after(2 * MAX_AGE_MS, () => this.#ids.delete(id))
    return true
  }
}

function authenticate({ headers }: FastifyRequest, body: string, key: KeyObject, clock: Clock): void {
  const { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp } = headers
  if (typeof signature !== 'string' || typeof timestamp !== 'string') throw forged()
  if (!/^[0-9a-f]{128}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) throw forged()
  if (!verify(null, Buffer.from(timestamp + body), key, Buffer.from(signature, 'hex'))) throw forged()
  if (Math.abs(clock.now() - Number(timestamp) * 1_000) <= MAX_AGE_MS) return
  const message =
    'This was signed too long ago, or the clock of one of us is wrong. Compare this machine with a time server.'
  throw new HttpProblem(401, 'stale', message)
}

function forged(): HttpProblem {
  return new HttpProblem(401, 'forged', 'The signature of this interaction is missing or wrong.')
}

function parse(body: string): { readonly type?: unknown; readonly id?: unknown } {
  try {
    const interaction: unknown = JSON.parse(body)
    if (typeof interaction === 'object' && interaction !== null) return interaction
  } catch {
    // It is told like any other body that is none.
  }
  throw new HttpProblem(400, 'invalid_json', 'The body is not a JSON object.')
}

/** Resolves when the answer was handed to the network whole, and rejects when its connection was lost before. */
function deliveryOf(reply: FastifyReply): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  reply.raw.once('finish', resolve)
  reply.raw.once('close', () => reject(new Error('Discord did not wait for the acknowledgement')))
  return promise
}

/** RFC 8037. */
function ed25519Key(hex: string): KeyObject {
  const x = Buffer.from(hex, 'hex').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
