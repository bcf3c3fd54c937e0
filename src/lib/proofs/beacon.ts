import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'

/**
 * A public drand beacon: a group of servers signs each round's number when the round's time has come. Nobody knows the
 * signature before then, and no other signature is valid, so nobody can choose it. Verifying the signature requires
 * only the group's public key, and no network.
 */
export interface BeaconChain {
  readonly name: string
  /** The chain's hash, which is also the chain's path on a server. */
  readonly hash: string
  /** The group's public key: a compressed point of G2, in hexadecimal. */
  readonly publicKey: string
  /** The time at which round 1 was signed, in milliseconds since 1970. */
  readonly genesisMs: number
  readonly periodMs: number
}

/** drand's `quicknet`, as its own `/info` describes it, with the scheme bls-unchained-g1-rfc9380. */
export const QUICKNET: BeaconChain = {
  name: 'quicknet',
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451' +
    '0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisMs: 1_692_803_367_000,
  periodMs: 3_000,
}

const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'
const { shortSignatures } = bls12_381

/** Returns the time at which a round is signed, in milliseconds since 1970. */
export function timeOfRound({ genesisMs, periodMs }: BeaconChain, round: number): number {
  return genesisMs + (round - 1) * periodMs
}

/** Returns the first round that is signed after the time `ms` (milliseconds since 1970). */
export function roundAfter({ genesisMs, periodMs }: BeaconChain, ms: number): number {
  return Math.max(Math.floor((ms - genesisMs) / periodMs) + 2, 1)
}

/** Returns the message that is signed in a round: the SHA-256 of the round's number as 8 bytes, big endian. */
export function messageOfRound(round: number): Uint8Array {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(round))
  return createHash('sha256').update(number).digest()
}

/** Whether `signature`, in hexadecimal, is the chain's signature of a round. */
export function isSignatureOfRound({ publicKey }: BeaconChain, round: number, signature: string): boolean {
  if (!/^[0-9a-f]{96}$/.test(signature)) return false
  try {
    const message = shortSignatures.hash(messageOfRound(round), DOMAIN)
    return shortSignatures.verify(Buffer.from(signature, 'hex'), message, Buffer.from(publicKey, 'hex'))
  } catch {
    // It is not a point of the curve.
    return false
  }
}

/** Returns a round's random value: the SHA-256 of the round's signature. */
export function randomnessOf(signature: string): Buffer {
  return createHash('sha256').update(Buffer.from(signature, 'hex')).digest()
}
