import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'

/** The maximum difference between Discord's clock and ours. Nobody waits for the answer to an older interaction. */
const MAX_AGE_MS = 5 * 60_000

/**
 * Reads a body that Discord signed. Throws a 401 for any other body, and a 400 for a signed body that is not a JSON
 * object.
 */
export function asSigned(request: FastifyRequest, key: KeyObject, clock: Clock): Signed {
  const body = typeof request.body === 'string' ? request.body : ''
  authenticate(request, body, key, clock)
  return parse(body)
}

export interface Signed {
  readonly type?: unknown
  readonly id?: unknown
  readonly event?: unknown
}

/** Recognises repeated events for as long as their signature is valid. */
export class HeardOnce {
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
    "This request was signed too long ago, or this machine's clock is wrong. Compare the clock with a time server."
  throw new HttpProblem(401, 'stale', message)
}

function forged(): HttpProblem {
  return new HttpProblem(
    401,
    'forged',
    "The signature of this request is missing or wrong. Compare DISCORD_PUBLIC_KEY with the public key in Discord's developer portal.",
  )
}

function parse(body: string): Signed {
  try {
    const interaction: unknown = JSON.parse(body)
    if (typeof interaction === 'object' && interaction !== null) return interaction
  } catch {
    // The check below refuses this body like any other invalid body.
  }
  throw new HttpProblem(400, 'invalid_json', 'The body is not a JSON object.')
}

/** Builds an Ed25519 public key from hexadecimal digits (RFC 8037). */
export function ed25519Key(hex: string): KeyObject {
  const x = Buffer.from(hex, 'hex').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
