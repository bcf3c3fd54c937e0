/** The first millisecond of 2015, from which Discord's ids count time. */
const EPOCH_MS = 1_420_070_400_000n

/**
 * Returns the time at which Discord made an id, in milliseconds since 1970; undefined for a text that is not a Discord
 * id.
 */
export function timeOfSnowflake(id: string): number | undefined {
  return /^\d{15,20}$/.test(id) ? Number((BigInt(id) >> 22n) + EPOCH_MS) : undefined
}
