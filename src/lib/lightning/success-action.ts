import { createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from './lnurl-messages.ts'

/** Message, link or secret that a receiver shows the payer after settlement (LUD-09, LUD-10). */
export type SuccessAction =
  | { readonly tag: 'message'; readonly message: string }
  | { readonly tag: 'url'; readonly description: string; readonly url: string }
  /** A text that only the payer can read: the key is the preimage. Both parts are base64. */
  | { readonly tag: 'aes'; readonly description: string; readonly ciphertext: string; readonly iv: string }

/** The same as it is shown: all of it is the receiver's words. */
export interface SuccessWords {
  readonly words: string
  readonly url?: string | undefined
  /** The plain text of the secret. `locked`: the preimage is not known, or does not open it. */
  readonly secret?: string | 'locked' | undefined
}

/** LUD-09 allows 144 characters. A longer text is the receiver's mistake and must not fail the payment. */
const MAX_TEXT = 1_000
/** LUD-10. */
const MAX_CIPHERTEXT = 4_096
const IV_BYTES = 16
const KEY = /^[0-9a-f]{64}$/i

/** Control characters are not shown, but for line breaks; half a character becomes a mark. */
const text = z.string().transform((whole) => {
  const shown = plain(whole).trim()
  return shown.length <= MAX_TEXT ? shown : `${shown.slice(0, MAX_TEXT).toWellFormed()}…`
})
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)
const description = text.catch('')

const action = z.discriminatedUnion('tag', [
  z.object({ tag: z.literal('message'), message: text.pipe(z.string().min(1)) }),
  z.object({ tag: z.literal('url'), description, url: z.url({ protocol: /^https?$/ }).max(2_048) }),
  z.object({
    tag: z.literal('aes'),
    description,
    ciphertext: base64.max(MAX_CIPHERTEXT),
    iv: base64.refine((iv) => Buffer.from(iv, 'base64').length === IV_BYTES),
  }),
])

/**
 * Reads the `successAction` of an answer, or its stored form, also as JSON text. Undefined if there is none, or none
 * that can be shown: as a decoration, it costs no payment.
 */
export function readSuccessAction(given: unknown): SuccessAction | undefined {
  const read = action.safeParse(typeof given === 'string' ? parseJson(given) : given)
  if (read.success) return read.data
  // A link that leads nowhere has words anyway.
  const words = z.object({ tag: z.literal('url'), description: text.pipe(z.string().min(1)) }).safeParse(given)
  return words.success ? { tag: 'message', message: words.data.description } : undefined
}

/** The kind of action that a wallet must not pay for, since it cannot carry it out (LUD-09); undefined for all others. */
export function unknownAction(given: unknown): string | undefined {
  const { data } = z.looseObject({ tag: z.string().trim().min(1) }).safeParse(given)
  return data === undefined || ['message', 'url', 'aes'].includes(data.tag) ? undefined : plain(data.tag).slice(0, 40)
}

/** Words for an action once its payment has settled. `preimage`: hex, where it is known. */
export function wordsOf(successAction: SuccessAction, preimage: string | undefined): SuccessWords {
  switch (successAction.tag) {
    case 'message':
      return { words: successAction.message }
    case 'url':
      return { words: successAction.description, url: successAction.url }
    case 'aes':
      return { words: successAction.description, secret: unlock(successAction, preimage) ?? 'locked' }
  }
}

/** LUD-10: AES-256-CBC under the payment's preimage. */
function unlock(
  { ciphertext, iv }: Extract<SuccessAction, { tag: 'aes' }>,
  preimage: string | undefined,
): string | undefined {
  if (preimage === undefined || !KEY.test(preimage)) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(preimage, 'hex'), Buffer.from(iv, 'base64'))
    const bytes = Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64')), decipher.final()])
    return plain(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // Another key, or no text.
    return undefined
  }
}

function plain(whole: string): string {
  return whole.replace(/[^\P{Cc}\n]/gu, '').toWellFormed()
}
