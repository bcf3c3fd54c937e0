import Database from 'better-sqlite3'

/** So many turns of the event loop without a statement, and nothing is under way any more. */
const IDLE_TURNS = 10
let statements = 0

/**
 * Counts every statement that this process gives to SQLite: the pulse of the simulated processes. Also keeps prepared
 * statements, which Prisma prepares anew each time: a simulation asks the same few questions a million times.
 */
function countStatements(): void {
  const database = new Database(':memory:')
  keepPrepared(Object.getPrototypeOf(database))
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1'))
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const original = prototype[name]
    prototype[name] = function counted(this: unknown, ...values: unknown[]) {
      statements += 1
      return Reflect.apply(original, this, values)
    }
  }
  database.close()
}

const MOST_KEPT = 500

function keepPrepared(prototype: { prepare: (this: object, sql: string) => Database.Statement<unknown[]> }): void {
  const kept = new WeakMap<object, Map<string, Database.Statement<unknown[]>>>()
  const { prepare } = prototype
  prototype.prepare = function prepareOnce(sql) {
    const known = kept.get(this) ?? new Map()
    kept.set(this, known)
    const before = known.get(sql)
    if (before !== undefined) return before
    const statement = prepare.call(this, sql)
    bindEachTime(statement)
    if (known.size < MOST_KEPT) known.set(sql, statement)
    return statement
  }
}

/** A statement can be bound once and for all; what Prisma binds is handed over with each call instead. */
function bindEachTime(statement: Database.Statement<unknown[]>): void {
  let columns: Database.ColumnDefinition[] | undefined
  const bind = (values: unknown[]) => ({
    get reader() {
      return statement.reader
    },
    columns() {
      columns ??= statement.columns()
      return columns
    },
    run: () => statement.run(values),
    raw: () => ({
      all() {
        statement.raw(true)
        try {
          return statement.all(values)
        } finally {
          statement.raw(false)
        }
      },
    }),
  })
  Object.assign(statement, { bind })
}

countStatements()

/** One turn of the event loop: whatever is ready goes on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Some turns, whether or not that is enough for what is under way. */
export async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await turn()
}

/** Until nothing goes on but what waits for time to pass. */
export async function quiet(): Promise<void> {
  let seen = statements
  for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
    await turn()
    if (statements === seen) continue
    seen = statements
    idle = -1
  }
}
