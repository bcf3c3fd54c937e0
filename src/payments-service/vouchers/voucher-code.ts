import { type Entropy, uniform } from '../../lib/entropy.ts'

/**
 * The characters of a code. No two of them are easily confused when read aloud or written by hand: no 0 O, 1 I L, 2 Z,
 * 5 S, 8 B, U V.
 */
const ALPHABET = '2346789ACDEFGHJKMNPQRTVWXY'
const LENGTH = 8

/** Returns a random code, one of 26^8 (about 2 × 10^11). */
export function newVoucherCode(entropy: Entropy): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[uniform(entropy, ALPHABET.length)]).join('')
}

/** Converts a code, typed in upper or lower case, to the stored form. */
export function canonicalCode(typed: string): string {
  return typed.toUpperCase()
}
