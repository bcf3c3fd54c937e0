import { describe, expect, it } from 'vitest'
import { Busy, limitPerCaller } from '../../src/lib/concurrency-per-caller.ts'

describe('concurrency limits', () => {
  it('apply to each caller and to all callers together', async () => {
    const limit = limitPerCaller({ each: 2, all: 3 })
    const end = Promise.withResolvers<string>()
    const work = (caller: string) => limit(caller, () => end.promise)
    const begun = [work('alice'), work('alice'), work('bob')]
    for (const caller of ['alice', 'bob', 'carol']) await expect(work(caller)).rejects.toBeInstanceOf(Busy)
    end.resolve('done')
    expect(await Promise.all(begun)).toEqual(['done', 'done', 'done'])
    expect(await work('carol')).toBe('done')
  })

  it('no longer count work that has failed', async () => {
    const limit = limitPerCaller({ each: 1, all: 1 })
    const failing = () => limit('alice', () => Promise.reject(new Error('no answer')))
    await expect(failing()).rejects.toThrow('no answer')
    await expect(failing()).rejects.toThrow('no answer')
  })
})
