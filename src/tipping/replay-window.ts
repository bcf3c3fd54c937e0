/** A key may be sent again this long; after that the provider may have forgotten it, and what was sent is only read. */
export const REPLAY_WITHIN_MS = 24 * 3_600_000
