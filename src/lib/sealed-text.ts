import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { Entropy } from './entropy.ts'

/** A key that encrypts texts: 32 bytes, and an id that identifies the key without revealing it. */
export interface SealingKey {
  readonly id: string
  readonly bytes: Buffer
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Creates a key from 32 bytes. Throws RangeError for any other number of bytes. */
export function sealingKey(bytes: Buffer): SealingKey {
  if (bytes.length !== 32) throw new RangeError('a key must have 32 bytes')
  return { id: createHash('sha256').update('satchel key ').update(bytes).digest('hex').slice(0, 12), bytes }
}

/**
 * Encrypts a text (AES-256-GCM). `about` identifies the text's owner: a text that is sealed for one record cannot be
 * read as another record's. The result contains the key's id: `<key>.<iv, text and tag in base64url>`.
 */
export function sealText(text: string, { key, about, entropy }: Sealing): string {
  const iv = entropy.bytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${key.id}.${sealed.toString('base64url')}`
}

export interface Sealing {
  readonly key: SealingKey
  readonly about: string
  readonly entropy: Entropy
}

/**
 * Decrypts a text; undefined if the text's key is not among `keys`, or if the text was changed or has another owner.
 */
export function openSealed(sealed: string, keys: readonly SealingKey[], about: string): string | undefined {
  const [id, body = ''] = sealed.split('.')
  const key = keys.find((each) => each.id === id)
  const bytes = Buffer.from(body, 'base64url')
  if (key === undefined || bytes.length < IV_BYTES + TAG_BYTES) return undefined
  try {
    const opener = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(about))
    opener.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([opener.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), opener.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
