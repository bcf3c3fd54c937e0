import type { Clock } from './clock.ts'
import { NewestNames } from './newest-names.ts'

export interface CachedOptions<Value> {
  readonly clock: Clock
  /** How long a value is reused: monotonic milliseconds since its reading began. */
  readonly ttlMs: number
  /** The most keys in the cache. The least recently read one is dropped first. */
  readonly maxKeys: number
  readonly read: (key: string) => Promise<Value>
  /** Whether a value is cached at all. Otherwise the next caller reads it again. Default: always. */
  readonly keeps?: (value: Value) => boolean
}

interface Reading<Value> {
  readonly value: Promise<Value>
  readonly beganAt: number
  underWay: boolean
}

/**
 * Reads a value at most once in a given time, for any number of callers. Simultaneous callers share one reading,
 * however long it takes. A failed reading fails for its callers, and is not cached. Omit the key if there is only one
 * value.
 */
export function cached<Value>(options: CachedOptions<Value>): (key?: string) => Promise<Value> {
  const { clock, ttlMs, read, keeps = () => true } = options
  const known = new NewestNames<Reading<Value>>(options.maxKeys)

  return (key = '') => {
    const beganAt = clock.monotonic()
    const latest = known.get(key)
    if (latest !== undefined && (latest.underWay || beganAt - latest.beganAt < ttlMs)) return latest.value
    const reading: Reading<Value> = { value: read(key), beganAt, underWay: true }
    known.set(key, reading)
    const end = (isKept: boolean) => {
      reading.underWay = false
      if (!isKept && known.get(key) === reading) known.delete(key)
    }
    reading.value.then(
      (value) => end(keeps(value)),
      () => end(false),
    )
    return reading.value
  }
}
