import { createHmac, timingSafeEqual } from 'node:crypto'

/** The maximum difference between the sender's clock and ours, in seconds. An older webhook is late or replayed. */
const TOLERANCE_SECONDS = 300

export interface ReceivedWebhook {
  /** The headers of the request: an object with lower-case names, as in Node, or `Headers`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Headers
  /** The body exactly as it arrived: text that was parsed and written again has another signature. */
  readonly body: string
  /** The signing secret (`whsec_…`), or several secrets during a rotation. */
  readonly secret: string | readonly string[]
  /** The present time in milliseconds since 1970. Default: the time of this machine. */
  readonly now?: number
}

/**
 * Checks the sender and the time of a webhook (Standard Webhooks). Returns the id, which is the same at every delivery
 * attempt, and the parsed body; undefined if the webhook must not be trusted. Even a genuine webhook is only a hint:
 * read the resource before you hand anything out.
 */
export function verifyWebhook<Body = unknown>(
  received: ReceivedWebhook,
): { readonly id: string; readonly body: Body } | undefined {
  const { headers, body, secret, now = Date.now() } = received
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
  if (id === undefined || timestamp === undefined || signature === undefined) return undefined
  if (!/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return undefined
  const offered = signature.split(' ')
  const isGenuine = [secret].flat().some((each) => {
    const key = Buffer.from(each.replace(/^whsec_/, ''), 'base64')
    if (key.length === 0) throw new TypeError('a signing secret must be whsec_ followed by base64')
    const expected = Buffer.from(
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    )
    return offered.map((one) => Buffer.from(one)).some((one) => isSame(one, expected))
  })
  return isGenuine ? { id, body: JSON.parse(body) as Body } : undefined
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
