import { Deflate } from 'node:zlib'
import Database from 'better-sqlite3'

/** Turns of the event loop without a statement after which nothing is under way any more. */
const IDLE_TURNS = 10
let statements = 0
let compressions = 0
const others: (() => boolean)[] = []

/** Counts every statement that this process gives to SQLite: the pulse of the simulated processes. */
function countStatements(): void {
  const database = new Database(':memory:')
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

/**
 * Counts what is being compressed, for QR pictures. That goes on in its own thread: a busy machine turns its event
 * loop more often meanwhile.
 */
function countCompressions(): void {
  let owner: object = Deflate.prototype
  while (!Object.hasOwn(owner, '_transform')) owner = Object.getPrototypeOf(owner)
  const compressing = owner as {
    _transform(chunk: unknown, encoding: unknown, done: (...end: unknown[]) => void): void
  }
  const original = compressing._transform
  compressing._transform = function counted(this: unknown, chunk, encoding, done) {
    compressions += 1
    const ended = (...end: unknown[]): void => {
      compressions -= 1
      done(...end)
    }
    Reflect.apply(original, this, [chunk, encoding, ended])
  }
}

countStatements()
countCompressions()

/** A statement was given to another database. */
export function noteStatement(): void {
  statements += 1
}

/** The world's time waits as long as something else is under way, too. */
export function alsoWaitsFor(isUnderWay: () => boolean): void {
  others.push(isUnderWay)
}

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
    if (statements === seen && compressions === 0 && !others.some((isUnderWay) => isUnderWay())) continue
    seen = statements
    idle = -1
  }
}
