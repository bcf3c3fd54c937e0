import type { Row } from '../../ledger/ledger.ts'
import type { CoreParts } from '../core/core-parts.ts'
import type { Tx } from '../core/database.ts'
import { hashSecret } from '../core/secrets.ts'

export const LINK_CODE_MINUTES = 10
/** The characters of a code, without the letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/**
 * The number of characters, which contain sixty bits. Even a hundred guesses a second for ten minutes succeed with a
 * probability of only about one in 10^13, so guesses are not counted.
 */
const LENGTH = 12

/** Creates a code that proves elsewhere that a gamertag belongs to a user, and the row that makes it valid. */
export function newLinkCode(
  { clock, entropy }: Pick<CoreParts, 'clock' | 'entropy'>,
  userId: string,
): { readonly code: string; readonly row: Row } {
  const letters = [...entropy.bytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  const now = clock.now()
  const values = {
    hash: hashOf(letters),
    userId,
    createdAt: new Date(now),
    expiresAt: new Date(now + LINK_CODE_MINUTES * 60_000),
  }
  return { code: (letters.match(/.{4}/g) ?? []).join('-'), row: { table: 'LinkCode', values } }
}

/**
 * Uses up a user's code, within a ledger change, and deletes the user's expired codes. Resolves to whether the code was
 * valid. `now` is the book's time.
 */
export async function useLinkCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  await tx.linkCode.deleteMany({ where: { userId, expiresAt: { lte: now } } })
  const { count } = await tx.linkCode.deleteMany({ where: { userId, hash: hashOf(code) } })
  return count === 1
}

/**
 * Hashes a code. People type codes in upper or lower case, with or without hyphens, and with letters for similar
 * digits.
 */
function hashOf(code: string): string {
  const letters = code.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return hashSecret(letters)
}
