import { createHmac } from 'node:crypto'
import { type Entropy, token } from '../../lib/entropy.ts'
import { isSameSecret } from '../../lib/http/is-same-secret.ts'

/** The time that a person has to read Discord's page and consent. */
const ATTEMPT_MS = 10 * 60_000

/** A browser's attempt to obtain a person's consent at Discord. */
export interface Attempt {
  /** The secret that the browser's cookie stores. */
  readonly secret: string
  /** The part of the address that contains the expiry, and that matches only this browser's secret. */
  readonly state: string
}

/** Starts an attempt. `key` is known only to the bot's processes. */
export function beginAttempt(entropy: Entropy, key: string, at: number): Attempt {
  const secret = token(entropy)
  const until = at + ATTEMPT_MS
  return { secret, state: `${until}.${mac(key, secret, until)}` }
}

/**
 * Returns the expiry of an attempt that returns from Discord; undefined if the expiry is past, or if the state and the
 * cookie belong to different browsers.
 */
export function untilOf(came: Partial<Attempt>, key: string, at: number): Date | undefined {
  const { secret, state = '' } = came
  const [time = '', proof = ''] = state.split('.')
  if (secret === undefined || !/^\d{1,15}$/.test(time)) return undefined
  const until = Number(time)
  if (until <= at || until > at + ATTEMPT_MS || !isSameSecret(proof, mac(key, secret, until))) return undefined
  return new Date(until)
}

function mac(key: string, secret: string, until: number): string {
  return createHmac('sha256', key).update(`linked roles ${until} ${secret}`).digest('base64url')
}
