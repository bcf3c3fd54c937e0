import { createCipheriv } from 'node:crypto'
import type { SuccessAction } from '../../src/lib/lightning/success-action.ts'

/** Locks a text as a receiver does by LUD-10: only the payment's preimage (in hexadecimal) unlocks it. */
export function lockText(text: string, preimage: string): Extract<SuccessAction, { tag: 'aes' }> {
  const iv = Buffer.alloc(16, 7)
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(preimage, 'hex'), iv)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
  return { tag: 'aes', description: 'Your code', ciphertext, iv: iv.toString('base64') }
}
