import { describe, expect, it } from 'vitest'
import { cached } from '../../src/lib/cached.ts'
import { ManualClock } from '../support/manual-clock.ts'

/** Returns a read function whose answers the test provides. */
function readings() {
  const asked: { readonly key: string; answer(value: string): void; fail(): void }[] = []
  const read = (key: string) =>
    new Promise<string>((resolve, reject) => {
      asked.push({ key, answer: resolve, fail: () => reject(new Error(`no ${key}`)) })
    })
  return { asked, read }
}

describe('a cached value', () => {
  it('is reused until it expires', async () => {
    const clock = new ManualClock()
    const { asked, read } = readings()
    const get = cached({ clock, ttlMs: 1_000, maxKeys: 1, read })
    const first = get()
    asked[0]?.answer('one')
    expect(await first).toBe('one')
    await clock.advance(999)
    expect(await get()).toBe('one')
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    const second = get()
    asked[1]?.answer('two')
    expect(await second).toBe('two')
  })

  it('is read once for all callers who ask while the read is running', async () => {
    const clock = new ManualClock()
    const { asked, read } = readings()
    const get = cached({ clock, ttlMs: 1_000, maxKeys: 1, read })
    const first = get()
    await clock.advance(5_000)
    const second = get()
    expect(asked).toHaveLength(1)
    asked[0]?.answer('slow')
    expect([await first, await second]).toEqual(['slow', 'slow'])
    get()
    expect(asked).toHaveLength(2)
  })

  it('is read again after a failure, which is reported to all waiting callers', async () => {
    const clock = new ManualClock()
    const { asked, read } = readings()
    const get = cached({ clock, ttlMs: 1_000, maxKeys: 1, read })
    const waiting = [get('it'), get('it')]
    asked[0]?.fail()
    for (const each of waiting) await expect(each).rejects.toThrow('no it')
    const again = get('it')
    asked[1]?.answer('there')
    expect(await again).toBe('there')
  })

  it('is read again if the cache is configured not to keep it', async () => {
    const clock = new ManualClock()
    const { asked, read } = readings()
    const get = cached({ clock, ttlMs: 1_000, maxKeys: 9, read, keeps: (value) => value !== 'nobody' })
    const first = get('key')
    asked[0]?.answer('nobody')
    expect(await first).toBe('nobody')
    get('key')
    expect(asked).toHaveLength(2)
  })

  it('is dropped if it is the oldest when the number of keys exceeds the limit', async () => {
    const clock = new ManualClock()
    const { asked, read } = readings()
    const get = cached({ clock, ttlMs: 1_000, maxKeys: 2, read })
    for (const key of ['a', 'b', 'c']) {
      const value = get(key)
      asked.at(-1)?.answer(key)
      expect(await value).toBe(key)
    }
    expect([await get('b'), await get('c')]).toEqual(['b', 'c'])
    expect(asked).toHaveLength(3)
    get('a')
    expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a'])
  })
})
