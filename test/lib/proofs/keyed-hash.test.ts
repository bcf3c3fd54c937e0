import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { keyedHash } from '../../../src/lib/proofs/keyed-hash.ts'

it('a keyed hash is HMAC-SHA-256 for secrets of up to 64 bytes and for any text', () => {
  for (const length of [1, 32, 63, 64]) {
    const secret = Buffer.alloc(length, length)
    const hashed = keyedHash(secret)
    for (const text of ['', 'a', 'müsli ⚡', 'x'.repeat(200)])
      expect(hashed(text)).toEqual(createHmac('sha256', secret).update(text).digest())
  }
  // RFC 4231, test case 2.
  expect(keyedHash(Buffer.from('Jefe'))('what do ya want for nothing?').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
  expect(() => keyedHash(Buffer.alloc(65))).toThrow(RangeError)
})
