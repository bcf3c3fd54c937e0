import { createHash } from 'node:crypto'

/**
 * Returns the id of a message's card: a UUID made from the message's id. Therefore, payouts can refer to the card
 * before the first tip creates it.
 */
export function messageTipsCard(message: string): string {
  const hash = createHash('sha256').update(`tally of ${message}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
