import { type Entropy, uniform } from '../../lib/entropy.ts'

/** No two of these are easily confused when read aloud or written by hand: no 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
const ALPHABET = '2346789ACDEFGHJKMNPQRTVWXY'
const LENGTH = 8

/** Returns a code that nobody can guess: one of 26^8 (about 2 × 10^11). */
export function newVoucherCode(entropy: Entropy): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[uniform(entropy, ALPHABET.length)]).join('')
}

/** Converts a typed code in any case to its stored form. */
export function canonicalCode(typed: string): string {
  return typed.toUpperCase()
}
