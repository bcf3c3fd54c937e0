/** Milliseconds of the first moment of 2015, where Discord's ids begin to count. */
const EPOCH_MS = 1_420_070_400_000n

/** When Discord made an id, in milliseconds since 1970; undefined for a text that is no id of Discord's. */
export function timeOfSnowflake(id: string): number | undefined {
  return /^\d{15,20}$/.test(id) ? Number((BigInt(id) >> 22n) + EPOCH_MS) : undefined
}
