import { createHash } from 'node:crypto'

/** A message's card exists before its first tip, so payouts can name it. A UUID made from the message's id. */
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
