import { describe, expect, it } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'

describe('random bytes', () => {
  it('have the requested length', () => {
    for (const length of [0, 1, 32, 512, 513, 5_000]) expect(systemEntropy.bytes(length)).toHaveLength(length)
  })

  it('never repeat in 2,000 draws and are never all zeros', () => {
    const all = Array.from({ length: 2_000 }, () => systemEntropy.bytes(32).toString('hex'))
    expect(new Set(all).size).toBe(all.length)
    expect(all).not.toContain('00'.repeat(32))
  })

  it('can be overwritten without changing any other random bytes', () => {
    const [one, other] = [systemEntropy.bytes(16), systemEntropy.bytes(16)]
    const before = other.toString('hex')
    one.fill(7)
    expect(other.toString('hex')).toBe(before)
    expect(other.buffer).not.toBe(one.buffer)
  })
})
