import { createHash } from 'node:crypto'
import type { Clock } from '../../src/lib/clock.ts'
import type { Entropy } from '../../src/lib/entropy.ts'

/** A source of everything that a simulation leaves to chance; the same seed repeats it (the generator is sfc32). */
export class Chance {
  readonly #name: string
  #a: number
  #b: number
  #c: number
  #counter = 1
  #children = 0

  constructor(name: string) {
    this.#name = name
    const digest = createHash('sha256').update(name).digest()
    this.#a = digest.readUInt32LE(0)
    this.#b = digest.readUInt32LE(4)
    this.#c = digest.readUInt32LE(8)
  }

  /** Returns an independent generator, so that one part's draws do not shift another's. */
  child(name: string): Chance {
    this.#children += 1
    return new Chance(`${this.#name}/${name}${this.#children}`)
  }

  /** Returns 32 random bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** Returns a fraction from 0 up to, but not including, 1. */
  fraction(): number {
    return this.word() / 2 ** 32
  }

  /** Returns a whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  happens(probability: number): boolean {
    return this.fraction() < probability
  }

  one<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing to choose from')
    return list[Math.floor(this.fraction() * list.length)] as T
  }

  /** Returns one of the keys, each with a probability in proportion to its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries<number>(weights) as [Key, number][]
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    return (entries.at(-1) as [Key, number])[0]
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length)
    for (let at = 0; at < length; at += 1) bytes[at] = this.word() & 0xff
    return bytes
  }
}

/**
 * Returns a simulated process's source of randomness; its UUIDs contain the virtual time, as real ones contain the real
 * time.
 */
export function seededEntropy(chance: Chance, clock: Pick<Clock, 'now'>): Entropy {
  return {
    bytes: (length) => chance.bytes(length),
    uuid() {
      const time = clock.now().toString(16).padStart(12, '0')
      const rest = chance.bytes(10).toString('hex')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
    },
  }
}
