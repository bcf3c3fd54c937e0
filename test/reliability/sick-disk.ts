import Database from 'better-sqlite3'

interface Writing {
  $executeRawUnsafe(sql: string): PromiseLike<unknown>
  $queryRawUnsafe<T>(sql: string): PromiseLike<T>
}

/**
 * Fills the disk for a database's writing connection, which cannot add a single page from then on. Returns a function
 * that makes room again.
 */
export async function fillDisk(write: Writing): Promise<() => Promise<void>> {
  // What is free within the file would be used up first.
  const [{ page_count: pages }] = (await write.$queryRawUnsafe('PRAGMA page_count')) as [{ page_count: bigint }]
  await write.$queryRawUnsafe(`PRAGMA max_page_count = ${pages}`)
  return async () => {
    await write.$queryRawUnsafe('PRAGMA max_page_count = 1073741823')
  }
}

/** Makes the writing connection read-only, like a disk that the system has remounted after an error. */
export async function makeReadOnly(write: Writing): Promise<() => Promise<void>> {
  await write.$queryRawUnsafe('PRAGMA query_only = ON')
  return async () => {
    await write.$queryRawUnsafe('PRAGMA query_only = OFF')
  }
}

/**
 * Takes the lock as another process would, and keeps it. Meanwhile the writing connection waits a moment instead of its
 * usual ten seconds.
 */
export async function lock(write: Writing, file: string): Promise<() => Promise<void>> {
  await write.$queryRawUnsafe('PRAGMA busy_timeout = 20')
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  return async () => {
    other.exec('ROLLBACK')
    other.close()
  }
}

export const AILMENTS = [
  { name: 'the disk is full', fallIll: (write: Writing, _file: string) => fillDisk(write) },
  { name: 'the database is locked', fallIll: lock },
  { name: 'the database is read-only', fallIll: (write: Writing, _file: string) => makeReadOnly(write) },
] as const
