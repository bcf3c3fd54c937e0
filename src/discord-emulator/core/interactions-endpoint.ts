import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { JsonObject } from '../rules/form.ts'

/** A signed request, which can be sent again unchanged. */
export interface SignedRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The result of delivering an interaction: the first response; `callback` if the response comes through REST; or why
 * the delivery failed.
 */
export type Delivered = { readonly response: JsonObject } | { readonly callback: true } | { readonly failed: string }

const PING = 1
/** The bytes that PKCS #8 puts before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The application's "Interactions Endpoint URL". If it is set, interactions are sent there as signed HTTP requests, and
 * not through the gateway.
 * https://docs.discord.com/developers/interactions/overview#configuring-an-interactions-endpoint-url
 */
export class InteractionsEndpoint {
  readonly #clock: Clock
  readonly #key: KeyObject
  #url: string | null = null

  constructor({ clock, entropy }: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#clock = clock
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8, entropy.bytes(32)]), format: 'der', type: 'pkcs8' })
  }

  /** The application's public key, in hexadecimal digits. */
  get publicKey(): string {
    const { x = '' } = createPublicKey(this.#key).export({ format: 'jwk' })
    return Buffer.from(x, 'base64url').toString('hex')
  }

  get url(): string | null {
    return this.#url
  }

  /**
   * Sets the address as the developer portal does: the server there must answer a PING, and must answer a wrong
   * signature with 401. Null means that interactions go through the gateway again. Throws the portal's error message if
   * the server fails these checks.
   */
  async set(url: string | null): Promise<void> {
    if (url !== null) {
      const ping = this.sign({ id: '1', type: PING, version: 1 })
      const forged = { ...ping, headers: { ...ping.headers, 'x-signature-ed25519': '00'.repeat(64) } }
      const answer = await post(url, ping)
      const refusal = await post(url, forged)
      const pong = answer?.status === 200 ? ((await answer.json()) as JsonObject) : undefined
      if (pong?.type !== PING || refusal?.status !== 401) {
        throw new Error('The specified interactions endpoint url could not be verified.')
      }
    }
    this.#url = url
  }

  sign(payload: JsonObject, at = this.#clock.now()): SignedRequest {
    const body = JSON.stringify(payload)
    const timestamp = String(Math.floor(at / 1_000))
    const signature = sign(null, Buffer.from(timestamp + body), this.#key).toString('hex')
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
        'x-signature-ed25519': signature,
        'x-signature-timestamp': timestamp,
      },
    }
  }

  /** Sends a signed interaction to the endpoint. Never throws. */
  async deliver(request: SignedRequest): Promise<Delivered> {
    const answer = await post(this.#url ?? '', request)
    if (answer === undefined) return { failed: 'the address does not answer' }
    if (answer.status === 202) return { callback: true }
    const text = await answer.text().catch(() => '')
    if (answer.status !== 200) return { failed: `${answer.status} ${text}` }
    try {
      return { response: JSON.parse(text) as JsonObject }
    } catch {
      return { failed: 'the answer is not JSON' }
    }
  }
}

async function post(url: string, { body, headers }: SignedRequest): Promise<Response | undefined> {
  return await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
}
