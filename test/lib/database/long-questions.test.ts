import { Sql } from '@prisma/client/runtime/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askLongQuestions, type LongQuestions } from '../../../src/lib/database/long-questions.ts'
import { openBook, type TestBook } from '../../ledger/book.ts'

let book: TestBook
let questions: LongQuestions | undefined
/** How far the clock advances each time it is read, in milliseconds. */
let stepMs: number

beforeEach(async () => {
  book = await openBook()
  await book.fund('alice', 1_000)
  stepMs = 0
})

afterEach(async () => {
  await questions?.close()
  await book.close()
})

function ask(beside: boolean) {
  let now = 0
  const clock = {
    monotonic() {
      now += stepMs
      return now
    },
  }
  const opened = askLongQuestions({ database: book.database, clock, beside })
  questions = opened
  const of = new Sql(['SELECT "kind", "balance" FROM "Account" WHERE "kind" <> ', ' ORDER BY "kind"'], ['operator'])
  const wait = (ms: number) => {
    now += ms
  }
  return { balances: () => opened.ask(of), wait }
}

it.each([false, true])('identical simultaneous queries share one current answer (in a thread: %s)', async (beside) => {
  const { balances } = ask(beside)
  expect(await balances()).toEqual([
    ['member', 1_000n],
    ['wallet', -1_000n],
  ])
  await book.fund('bob', 1)
  expect(await balances()).toEqual([
    ['member', 1_000n],
    ['member', 1n],
    ['wallet', -1_001n],
  ])
  const [one, other] = [balances(), balances()]
  expect(await one).toBe(await other)
})

it('a slow answer is reused for ten times as long as it took', async () => {
  const { balances, wait } = ask(false)
  stepMs = 100
  const first = await balances()
  await book.fund('bob', 1)
  expect(await balances()).toBe(first)
  wait(1_000)
  expect(await balances()).toHaveLength(3)
})

it('a failed query fails again when repeated, and other queries still work', async () => {
  const { balances } = ask(true)
  const wrong = new Sql(['SELECT "nothing" FROM "Account"'], [])
  await expect(questions?.ask(wrong)).rejects.toThrow(/nothing/)
  await expect(questions?.ask(wrong)).rejects.toThrow(/nothing/)
  expect(await balances()).toHaveLength(2)
})
