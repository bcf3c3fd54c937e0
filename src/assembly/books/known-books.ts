import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readAddress } from '../../lib/database/postgres/address.ts'
import { isFile } from '../../lib/database/url-kinds.ts'
import type { Side } from './hold-books.ts'

/** The file in a data folder that lists the books used with the folder. */
export const KNOWN_BOOKS_FILE = 'books.json'

/** What a data folder stores about a book. */
export interface KnownBook {
  /** The book's place as people see it: a file, or an address without its password. */
  readonly place: string
  /**
   * Whether the book has begun. False if a new book may begin; `without custody` if a bot that holds no sats used the
   * book.
   */
  readonly begun: boolean | 'without custody'
  /** The journal's first entry, which never changes; undefined while the journal is empty or unknown. */
  readonly first?: string | undefined
}

const known = z.object({
  place: z.string(),
  begun: z.union([z.boolean(), z.literal('without custody')]),
  first: z.string().optional(),
})
const shape = z.object({ bot: known.optional(), service: known.optional() })

/** Returns what a data folder stores about one side's book; undefined if it stores nothing about it. */
export function knownBook(folder: string, side: Side): KnownBook | undefined {
  return readAll(folder)[side]
}

/**
 * Notes a book in a data folder. Writes a new file and then renames it, so a kill in between leaves the old file
 * intact.
 */
export function noteBook(folder: string, side: Side, book: KnownBook): void {
  const all = readAll(folder)
  if (JSON.stringify(all[side]) === JSON.stringify(known.parse(book))) return
  const file = join(folder, KNOWN_BOOKS_FILE)
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...all, [side]: book }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Reads the notes about both books. An unreadable file counts as empty, and the next note replaces it. */
function readAll(folder: string): z.infer<typeof shape> {
  const file = join(folder, KNOWN_BOOKS_FILE)
  try {
    return existsSync(file) ? shape.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
  } catch {
    return {}
  }
}

/** Returns a book's place as people see it: a path, or an address without its password. */
export function placeOf(side: Side, url: string): string {
  return isFile(url) ? resolve(url.slice('file:'.length)) : readAddress({ url, variable: VARIABLES[side] }).name
}

/** The environment variables that contain the addresses of the books' databases. */
export const VARIABLES = { bot: 'TIPPING_DATABASE_URL', service: 'PAYMENTS_DATABASE_URL' } as const
