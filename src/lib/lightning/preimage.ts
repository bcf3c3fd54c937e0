import { createHash } from 'node:crypto'

/** Whether a text is the preimage of a payment hash. Both are hex, in either case. */
export function isPreimageOf(text: string, paymentHash: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(text)) return false
  return createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex') === paymentHash.toLowerCase()
}
