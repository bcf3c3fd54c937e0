import type { Clock } from './clock.ts'
import { NewestNames } from './newest-names.ts'

export interface CachedOptions<Value> {
  readonly clock: Clock
  /** How long a value is used again: monotonic milliseconds since its reading began. */
  readonly ttlMs: number
  /** Largest number of keys; the least recently read one goes first. */
  readonly maxKeys: number
  readonly read: (key: string) => Promise<Value>
  /** Whether a value is kept at all. One that is not is read again by the next who asks. All are, if left out. */
  readonly keeps?: (value: Value) => boolean
}

interface Reading<Value> {
  readonly value: Promise<Value>
  readonly beganAt: number
  underWay: boolean
}

/**
 * Reads a value at most once in a while, no matter how many ask. Askers of the same moment share one reading, however long it
 * takes. A reading that fails fails for those who wait for it, and is forgotten. The key is left out where there is one thing.
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
