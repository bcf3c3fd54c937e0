/** Whether an address leads to a SQLite file. */
export function isFile(url: string): boolean {
  return /^file:./.test(url)
}

/** Whether an address leads to a PostgreSQL server. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url)
}
