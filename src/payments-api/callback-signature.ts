import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'

/**
 * Signs callbacks according to the Standard Webhooks convention: HMAC-SHA256 of `id.timestamp.body`. Two secrets may be
 * active at once, so that a secret can be rotated. Each active secret signs every callback, and one matching signature
 * is enough.
 */

/** How far the sender's clock may differ from ours, in seconds. Older callbacks are late or replayed. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

const SECRET_BYTES = 32

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64. */
export function newCallbackSecret(entropy: Entropy): string {
  return `whsec_${entropy.bytes(SECRET_BYTES).toString('base64')}`
}

/** Whether a text can be used as a signing secret. */
export function isCallbackSecret(secret: string): boolean {
  try {
    return new Webhook(secret) instanceof Webhook
  } catch {
    return false
  }
}

/** The headers that sign a callback, and their content. */
export const signatureHeaders = {
  'webhook-id': 'Names this callback: the same at every attempt to deliver it, so that nobody acts on it twice.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970. Refuse anything older than five minutes.',
  'webhook-signature':
    "For each of the project's active secrets `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, separated by spaces; one that fits is enough.",
} as const

export type SignedHeaders = { readonly [Name in keyof typeof signatureHeaders]: string }

/**
 * Returns the headers that sign a callback. `id` stays the same for every delivery attempt; the timestamp is the
 * present time. Throws if a secret is invalid (see `isCallbackSecret`).
 */
export function signCallback(request: {
  readonly id: string
  readonly body: string
  readonly secrets: readonly string[]
  readonly clock: Clock
}): SignedHeaders {
  const time = new Date(request.clock.now())
  return {
    'webhook-id': request.id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': request.secrets
      .map((secret) => new Webhook(secret).sign(request.id, time, request.body))
      .join(' '),
  }
}

export type Verdict =
  | { readonly genuine: true; readonly id: string }
  | { readonly genuine: false; readonly reason: 'unsigned' | 'stale' | 'forged' }

/**
 * Checks a callback's sender and time. `body` is the text as it arrived, not parsed and written again. The library's
 * own check would use the system's clock, so only the library's signatures are used here. A receiver that must not act
 * twice on one callback stores `id`.
 */
export function verifyCallback(request: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly secrets: readonly string[]
  readonly clock: Clock
}): Verdict {
  const id = request.headers['webhook-id']
  const timestamp = request.headers['webhook-timestamp']
  const signature = request.headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
    return { genuine: false, reason: 'unsigned' }
  }
  if (!/^\d{1,12}$/.test(timestamp)) return { genuine: false, reason: 'forged' }
  const time = new Date(Number(timestamp) * 1_000)
  const offered = signature.split(' ')
  const genuine = request.secrets.some((secret) => {
    const expected = new Webhook(secret).sign(id, time, request.body)
    return offered.some((candidate) => same(candidate, expected))
  })
  if (!genuine) return { genuine: false, reason: 'forged' }
  const distanceMs = Math.abs(request.clock.now() - time.getTime())
  if (distanceMs > SIGNATURE_TOLERANCE_SECONDS * 1_000) return { genuine: false, reason: 'stale' }
  return { genuine: true, id }
}

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
