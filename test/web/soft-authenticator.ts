import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The ways in which an authenticator misbehaves. */
export interface Oddity {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** Whether the authenticator reports that it has checked a finger or a PIN. */
  readonly verified?: boolean
  /** Whether the signature is by another key. */
  readonly forged?: boolean
}

/** An authenticator with one passkey (WebAuthn, ES256, attestation "none"), as far as a server can tell. */
export class SoftAuthenticator {
  readonly origin: string
  readonly id = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** The number of the passkey's uses; stays 0 if `counts` is false. */
  counter = 0
  counts = true

  constructor(origin: string) {
    this.origin = origin
  }

  /** Returns what a browser sends about a new passkey made for these options. */
  make({ challenge }: { readonly challenge: string }, odd: Oddity = {}): string {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = map([
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), bytes(Buffer.from(x, 'base64url'))],
      [int(-3), bytes(Buffer.from(y, 'base64url'))],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
    const authData = Buffer.concat([this.#data(odd, 0x40), credential])
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    const clientData = this.#client('webauthn.create', challenge, odd)
    return this.#told({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    })
  }

  /** Returns what a browser sends about a signature made for these options. */
  sign({ challenge }: { readonly challenge: string }, odd: Oddity = {}): string {
    if (this.counts) this.counter += 1
    const authData = this.#data(odd, 0)
    const clientData = this.#client('webauthn.get', challenge, odd)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const key: KeyObject = odd.forged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey
    return this.#told({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, key).toString('base64url'),
    })
  }

  #data({ rpId = new URL(this.origin).hostname, verified = true }: Oddity, more: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const flags = 0x01 | (verified ? 0x04 : 0) | more
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter])
  }

  #client(type: string, challenge: string, odd: Oddity): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false, ...pick(odd) }))
  }

  #told(response: object): string {
    const { id } = this
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}

function pick({ origin, challenge, type }: Oddity) {
  return { ...(origin && { origin }), ...(challenge && { challenge }), ...(type && { type }) }
}

/** Encodes the head of a CBOR item (RFC 8949), as far as these tests need it. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (pairs: readonly (readonly [Buffer, Buffer])[]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()])
