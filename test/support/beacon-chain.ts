import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type BeaconChain, messageOfRound } from '../../src/lib/proofs/beacon.ts'

const { shortSignatures } = bls12_381

/** A chain of beacons like drand's, whose key is known, so that a test can sign any round in advance. */
export interface OwnBeaconChain {
  readonly chain: BeaconChain
  /** Returns the signature of a round, in hexadecimal. */
  sign(round: number): string
}

/** Creates a chain whose rounds begin at `genesisMs` (milliseconds since 1970), one every three seconds. */
export function createBeaconChain(genesisMs: number): OwnBeaconChain {
  const { secretKey, publicKey } = shortSignatures.keygen(Buffer.alloc(48, 7))
  const chain = {
    name: 'test-chain',
    hash: 'ab'.repeat(32),
    publicKey: Buffer.from(publicKey.toBytes()).toString('hex'),
    genesisMs,
    periodMs: 3_000,
  }
  return {
    chain,
    sign(round) {
      const message = shortSignatures.hash(messageOfRound(round), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
      return Buffer.from(shortSignatures.sign(message, secretKey).toBytes()).toString('hex')
    },
  }
}
