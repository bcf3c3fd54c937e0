import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readAddress } from '../../lib/database/postgres/address.ts'
import { isFile } from '../../lib/database/url-kinds.ts'
import type { Side } from './hold-books.ts'

/** In the data folder: the books that were used with it. */
export const KNOWN_BOOKS_FILE = 'books.json'

/** What a data folder stores about a book. */
export interface KnownBook {
  /** Its place as people see it: a file, or an address without its password. */
  readonly place: string
  /** False: an operator has permitted a new one. Without custody: a bot used it that holds no sats. */
  readonly begun: boolean | 'without custody'
  /** The first entry, which never changes; undefined while the journal is empty or unknown. */
  readonly first?: string | undefined
}

const known = z.object({
  place: z.string(),
  begun: z.union([z.boolean(), z.literal('without custody')]),
  first: z.string().optional(),
})
const shape = z.object({ bot: known.optional(), service: known.optional() })

/** Reads what this data folder stores about a book; undefined if it has never seen one. */
export function knownBook(folder: string, side: Side): KnownBook | undefined {
  return readAll(folder)[side]
}

/** Notes a book. Writes a copy and renames it, so a kill in between leaves the old file intact. */
export function noteBook(folder: string, side: Side, book: KnownBook): void {
  const all = readAll(folder)
  if (JSON.stringify(all[side]) === JSON.stringify(known.parse(book))) return
  const file = join(folder, KNOWN_BOOKS_FILE)
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...all, [side]: book }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** An unreadable file counts as empty. The next start writes another. */
function readAll(folder: string): z.infer<typeof shape> {
  const file = join(folder, KNOWN_BOOKS_FILE)
  try {
    return existsSync(file) ? shape.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
  } catch {
    return {}
  }
}

/** Returns a book's place as people see it. */
export function placeOf(side: Side, url: string): string {
  return isFile(url) ? resolve(url.slice('file:'.length)) : readAddress({ url, variable: VARIABLES[side] }).name
}

/** The variable that names each book's database. */
export const VARIABLES = { bot: 'TIPPING_DATABASE_URL', service: 'PAYMENTS_DATABASE_URL' } as const
