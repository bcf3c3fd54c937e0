/** The most characters in a payer's comment (LUD-12), and in a note on the wallet page. */
export const COMMENT_ALLOWED = 255

/**
 * Prepares a payer's comment for the book: shortens it, and removes NUL and halves of characters, which databases do
 * not store unchanged.
 */
export function storedComment(text: string): string {
  return [...text.replaceAll('\0', '').toWellFormed()].slice(0, COMMENT_ALLOWED).join('')
}
