import type { Sql } from '@prisma/client/runtime/client'
import type { Clock } from '../clock.ts'
import { startThread } from '../thread.ts'
import { openReader } from './database.ts'
import { allRows, type ReadBook, type ReadValue } from './engine/reader.ts'
import type { QuestionJobs } from './long-questions-thread.ts'
import { isFile } from './url-kinds.ts'

/** An answer's cache lifetime, in multiples of the time that it took. */
const CACHE_TTL_TIMES = 10
/** The most answers in the cache. */
const MAX_CACHED = 100

/** Queries that take longer the more the book contains. */
export interface LongQuestions {
  /**
   * Returns the rows that answer a question, which must be few. Callers who ask the same question in the meantime share
   * the answer. So do later callers, for ten times as long as the answer took.
   */
  ask(question: Sql): Promise<readonly ReadValue[][]>
  close(): Promise<void>
}

interface CachedAnswer {
  readonly answer: Promise<readonly ReadValue[][]>
  /** The end of the answer's cache lifetime; undefined while there is no answer. */
  until?: number
}

interface Asking {
  readonly database: Omit<ReadBook, 'durable'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly beside: boolean
}

/**
 * Creates the queries about a book. `beside`: whether they run in a thread if the book is a file, so that other work
 * continues meanwhile. For a book on a server, the server does the work.
 */
export function askLongQuestions({ database, clock, beside }: Asking): LongQuestions {
  const book = { url: database.url, variable: database.variable, durable: true }
  const { rows, close } = beside && isFile(book.url) ? inThread(book) : inThisThread(book)
  const cached = new Map<string, CachedAnswer>()
  const forget = (now: number) => {
    for (const [key, { until }] of cached)
      if (until !== undefined && (until <= now || cached.size > MAX_CACHED)) cached.delete(key)
  }
  return {
    async ask({ sql, values }) {
      const key = JSON.stringify([sql, values])
      const begun = clock.monotonic()
      forget(begun)
      const known = cached.get(key)
      if (known !== undefined) return await known.answer
      const own: CachedAnswer = { answer: rows({ sql, values: values as (string | number)[] }) }
      cached.set(key, own)
      try {
        const answer = await own.answer
        const ended = clock.monotonic()
        own.until = ended + CACHE_TTL_TIMES * (ended - begun)
        return answer
      } catch (error) {
        cached.delete(key)
        throw error
      }
    },
    close,
  }
}

type Rows = QuestionJobs['rows']

function inThread(book: ReadBook): { readonly rows: Rows; close(): Promise<void> } {
  const thread = startThread<QuestionJobs>(new URL('./long-questions-thread.ts', import.meta.url), book)
  return { rows: (question) => thread.ask('rows', question), close: () => thread.close() }
}

function inThisThread(book: ReadBook): { readonly rows: Rows; close(): Promise<void> } {
  let opened: ReturnType<typeof openReader> | undefined
  return {
    async rows({ sql, values }) {
      opened ??= openReader(book)
      return await (await opened).snapshot((rows) => allRows(rows(sql, values)))
    },
    close: async () => await (await opened)?.close(),
  }
}
