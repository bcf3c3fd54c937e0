import { expect, test } from 'vitest'
import { createTurns } from '../../src/lib/turns.ts'

const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a queue lets a few callers continue in each turn of the event loop, in order', async () => {
  const turn = createTurns(3)
  const went: number[] = []
  const all = Array.from({ length: 8 }, (_, nth) => turn().then(() => went.push(nth)))
  await Promise.resolve()
  expect(went).toEqual([0, 1, 2])
  await turnOfLoop()
  expect(went).toEqual([0, 1, 2, 3, 4, 5])
  await Promise.all(all)
  expect(went).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('a later caller never overtakes a caller that waits in the queue', async () => {
  const turn = createTurns(2)
  const went: string[] = []
  const first = ['a', 'b', 'c', 'd', 'e'].map((who) => turn().then(() => went.push(who)))
  await turnOfLoop()
  const last = turn().then(() => went.push('f'))
  await Promise.all([...first, last])
  expect(went).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('no caller waits if only a few callers come in each turn of the event loop', async () => {
  const turn = createTurns(2)
  for (let nth = 0; nth < 3; nth += 1) {
    let went = 0
    for (const each of [turn(), turn()]) void each.then(() => (went += 1))
    await Promise.resolve()
    expect(went).toBe(2)
    await turnOfLoop()
  }
})
