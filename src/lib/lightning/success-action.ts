import { createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from './lnurl-messages.ts'

/** A message, link or secret that a receiver shows the payer after settlement (LUD-09, LUD-10). */
export type SuccessAction =
  | { readonly tag: 'message'; readonly message: string }
  | { readonly tag: 'url'; readonly description: string; readonly url: string }
  /** A text that only the payer can read, because the key is the preimage. `ciphertext` and `iv` are base64. */
  | { readonly tag: 'aes'; readonly description: string; readonly ciphertext: string; readonly iv: string }

/** The texts of a success action, as they are shown. All of them are the receiver's own. */
export interface SuccessWords {
  readonly words: string
  readonly url?: string | undefined
  /** The secret's plain text, or `locked` if the preimage is unknown or does not decrypt the secret. */
  readonly secret?: string | 'locked' | undefined
}

/**
 * The most characters of a text that are shown. LUD-09 permits 144, but a longer text is the receiver's mistake and
 * must not make the payment fail.
 */
const MAX_TEXT = 1_000
/** The most characters of an encrypted text (LUD-10). */
const MAX_CIPHERTEXT = 4_096
const IV_BYTES = 16
const KEY = /^[0-9a-f]{64}$/i

/**
 * A text in the form in which it is shown: without control characters except line breaks, and with a replacement mark
 * instead of half a character.
 */
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
 * Reads a success action from an answer, or from its stored form, which may be JSON text. Returns undefined if there is
 * none that can be shown: the action is optional, so a fault in it prevents no payment.
 */
export function readSuccessAction(given: unknown): SuccessAction | undefined {
  const read = action.safeParse(typeof given === 'string' ? parseJson(given) : given)
  if (read.success) return read.data
  // A link with an invalid address still has a text.
  const words = z.object({ tag: z.literal('url'), description: text.pipe(z.string().min(1)) }).safeParse(given)
  return words.success ? { tag: 'message', message: words.data.description } : undefined
}

/**
 * Returns the kind of an action that a wallet cannot perform and so must not pay for (LUD-09); undefined for all other
 * actions.
 */
export function unknownAction(given: unknown): string | undefined {
  const { data } = z.looseObject({ tag: z.string().trim().min(1) }).safeParse(given)
  return data === undefined || ['message', 'url', 'aes'].includes(data.tag) ? undefined : plain(data.tag).slice(0, 40)
}

/** Returns an action's texts after its payment has settled. `preimage` is in hex, or undefined if it is unknown. */
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

/** Decrypts a secret (AES-256-CBC) with the payment's preimage as the key (LUD-10). */
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
    // It has another key, or is not text.
    return undefined
  }
}

function plain(whole: string): string {
  return whole.replace(/[^\P{Cc}\n]/gu, '').toWellFormed()
}
