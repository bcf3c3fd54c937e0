import { serveThread } from '../thread.ts'
import { openReader } from './database.ts'
import { allRows, type ReadBook } from './engine/reader.ts'

/** The jobs of a thread that answers long queries about a book. */
export type QuestionJobs = ReturnType<typeof jobsOn>

function jobsOn(book: ReadBook) {
  const reader = openReader(book)
  return {
    rows: async ({ sql, values }: { readonly sql: string; readonly values: readonly (string | number)[] }) =>
      await (await reader).snapshot((rows) => allRows(rows(sql, values))),
  }
}

serveThread(jobsOn)
