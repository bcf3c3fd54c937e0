import { expect, it } from 'vitest'
import { batchLookUps } from '../../src/lib/batch-look-ups.ts'

/**
 * Returns a look-up that, once the test releases it, finds the length of every name except those that begin with "no".
 */
function scripted() {
  const statements: (readonly string[])[] = []
  const held: (() => void)[] = []
  const lookUp = batchLookUps<number>(async (names) => {
    statements.push(names)
    await new Promise<void>((resolve) => held.push(resolve))
    if (names.includes('broken')) throw new Error('the database is away')
    return new Map(names.filter((name) => !name.startsWith('no')).map((name) => [name, name.length]))
  })
  return { lookUp, statements, go: () => held.shift()?.() }
}

it('a name is looked up immediately, and names that arrive meanwhile share a look-up', async () => {
  const { lookUp, statements, go } = scripted()
  const first = lookUp('a')
  expect(statements).toEqual([['a']])
  const others = ['bb', 'nobody', 'bb', 'ccc'].map(lookUp)
  go()
  expect(await first).toBe(1)
  await expect.poll(() => statements.length).toBe(2)
  expect(statements[1]).toEqual(['bb', 'nobody', 'ccc'])
  go()
  expect(await Promise.all(others)).toEqual([2, undefined, 2, 3])
})

it('names are looked up in batches of at most 500', async () => {
  const { lookUp, statements, go } = scripted()
  const asked = ['first', ...Array.from({ length: 1_100 }, (_, n) => `${n}`)].map(lookUp)
  for (const done of [1, 2, 3, 4]) {
    await expect.poll(() => statements.length).toBe(done)
    go()
  }
  expect((await Promise.all(asked)).at(-1)).toBe(4)
  expect(statements.map(({ length }) => length)).toEqual([1, 500, 500, 100])
})

it('the names in a failed batch are looked up one by one, and only the bad one fails', async () => {
  const { lookUp, statements, go } = scripted()
  const first = lookUp('first')
  const asked = ['a', 'broken', 'nobody', 'a'].map(lookUp)
  const settled = Promise.allSettled([first, ...asked])
  for (const done of [1, 2, 5]) {
    await expect.poll(() => statements.length).toBe(done)
    for (let n = 0; n < 3; n += 1) go()
  }
  const answers = (await settled).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))
  expect(answers).toEqual([5, 1, 'the database is away', undefined, 1])
  expect(statements.slice(1)).toEqual([['a', 'broken', 'nobody'], ['a'], ['broken'], ['nobody']])
})

it('a failed look-up is reported to its caller, and the next look-up succeeds', async () => {
  const { lookUp, go } = scripted()
  const broken = lookUp('broken')
  const next = lookUp('fine')
  go()
  await expect(broken).rejects.toThrow('away')
  go()
  expect(await next).toBe(4)
})
