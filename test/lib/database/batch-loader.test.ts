import { describe, expect, it } from 'vitest'
import { createBatchLoader } from '../../../src/lib/database/batch-loader.ts'

function recorder(maxBatch?: number) {
  const queries: string[][] = []
  const loader = createBatchLoader<string, number>({
    maxBatch,
    load: async (keys) => {
      queries.push([...keys])
      if (keys.includes('bad')) throw new Error('the database is gone')
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.length]))
    },
  })
  return { loader, queries }
}

describe('a batch loader', () => {
  it('answers simultaneous requests with one query that contains each key once', async () => {
    const { loader, queries } = recorder()
    const later = Promise.resolve().then(() => loader.load('dddd'))
    const answers = await Promise.all([
      loader.load('a'),
      loader.load('bb'),
      loader.load('a'),
      loader.load('none'),
      later,
    ])
    expect(answers).toEqual([1, 2, 1, undefined, 4])
    expect(queries).toEqual([['a', 'bb', 'none', 'dddd']])
  })

  it('queries again when the same key is requested later', async () => {
    const { loader, queries } = recorder()
    await loader.load('a')
    await loader.load('a')
    expect(queries).toEqual([['a'], ['a']])
  })

  it('splits large batches', async () => {
    const { loader, queries } = recorder(2)
    const answers = await Promise.all(['a', 'bb', 'a', 'ccc', 'dddd', 'eeeee'].map((key) => loader.load(key)))
    expect(answers).toEqual([1, 2, 1, 3, 4, 5])
    expect(queries).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']])
  })

  it('loads the keys of a failed query one by one and rejects only the failing key', async () => {
    const { loader, queries } = recorder()
    const asked = ['a', 'bad', 'none', 'a', 'ccc'].map((key) => loader.load(key))
    const answers = await Promise.allSettled(asked)
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      1,
      'the database is gone',
      undefined,
      1,
      3,
    ])
    expect(queries).toEqual([['a', 'bad', 'none', 'ccc'], ['a'], ['bad'], ['none'], ['ccc']])
  })

  it('queries only once for a single key that fails', async () => {
    const { loader, queries } = recorder()
    await expect(loader.load('bad')).rejects.toThrow('the database is gone')
    expect(queries).toEqual([['bad']])
    expect(await loader.load('a')).toBe(1)
  })

  it('starts a new query for a request that arrives while a query is running', async () => {
    const queries: string[][] = []
    let second: Promise<number | undefined> | undefined
    const loader = createBatchLoader<string, number>({
      load: async (keys) => {
        queries.push([...keys])
        second ??= loader.load('b')
        return new Map(keys.map((key) => [key, 7]))
      },
    })
    expect(await loader.load('a')).toBe(7)
    expect(await second).toBe(7)
    expect(queries).toEqual([['a'], ['b']])
  })
})
