import { describe, expect, it } from 'vitest'
import { isSignatureOfRound, QUICKNET, randomnessOf, roundAfter, timeOfRound } from '../../../src/lib/proofs/beacon.ts'
import { createBeaconChain } from '../../support/beacon-chain.ts'

/**
 * Rounds of drand's quicknet as its servers published them: the number, the signature, and the random value if it was
 * recorded.
 */
const RECORDED = [
  [123, 'b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92', undefined],
  [
    1_000,
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
    'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  ],
  [
    657_413,
    'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b',
    'fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
  ],
  [
    32_398_885,
    '8f6d5ddd520329a4ce9a25db41c0552a5ac04bd56577138cbb0ec2b9326af2b8012c7dc2c5bcddc439d922c93a281d24',
    'b6d412641a7d58b20ef5dded4ae48e9358cc35710f90961d8fe6e99d0e0281ef',
  ],
] as const

describe('a recorded round of drand', () => {
  it.each(RECORDED)(
    'is verified with only the public key and has the recorded value (round %i)',
    (round, signature, value) => {
      expect(isSignatureOfRound(QUICKNET, round, signature)).toBe(true)
      if (value !== undefined) expect(randomnessOf(signature).toString('hex')).toBe(value)
    },
  )

  it('is refused as another round, on another chain or with a flipped bit', () => {
    const [, , , [round, signature]] = RECORDED
    expect(isSignatureOfRound(QUICKNET, round + 1, signature)).toBe(false)
    expect(isSignatureOfRound(createBeaconChain(0).chain, round, signature)).toBe(false)
    expect(isSignatureOfRound(QUICKNET, round, signature.replace(/4$/, '5'))).toBe(false)
  })

  it.each([
    ['empty', ''],
    ['zeros', '0'.repeat(96)],
    ['the point at infinity', `c0${'0'.repeat(94)}`],
    ['cut in half', RECORDED[0][1].slice(0, 48)],
    ['in upper case', RECORDED[0][1].toUpperCase()],
    ['not hexadecimal', 'z'.repeat(96)],
  ])('is refused if the signature is %s', (_, signature) => {
    expect(isSignatureOfRound(QUICKNET, 123, signature)).toBe(false)
  })
})

describe('the round after a time', () => {
  it('is the first round that is signed after that time', () => {
    const signed = 1_790_000_019_000
    expect(timeOfRound(QUICKNET, 32_398_885)).toBe(signed)
    expect(roundAfter(QUICKNET, signed - 1)).toBe(32_398_885)
    expect(roundAfter(QUICKNET, signed)).toBe(32_398_886)
    expect(roundAfter(QUICKNET, signed + 2_999)).toBe(32_398_886)
  })

  it('is round 1 for any time before the chain began', () => {
    expect(roundAfter(QUICKNET, 0)).toBe(1)
    expect(roundAfter(QUICKNET, QUICKNET.genesisMs)).toBe(2)
  })
})
