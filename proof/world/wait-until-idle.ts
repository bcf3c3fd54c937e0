import { Deflate } from 'node:zlib'
import Database from 'better-sqlite3'

/** The number of consecutive turns of the event loop without a statement after which all work has ended. */
const IDLE_TURNS = 10
let statements = 0
let compressions = 0
const others: (() => boolean)[] = []

/**
 * Makes `statements` count every statement that this process sends to SQLite, which shows that simulated processes
 * still work.
 */
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
 * Makes `compressions` count the running compressions of QR pictures. These run in another thread, so on a busy machine
 * the event loop may turn more often before they end.
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

/** Notes that a database other than SQLite received a statement. */
export function noteStatement(): void {
  statements += 1
}

/** Makes the world's time also wait while `isUnderWay` returns true. */
export function alsoWaitsFor(isUnderWay: () => boolean): void {
  others.push(isUnderWay)
}

/** Waits for one turn of the event loop, in which everything that is ready continues. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Waits for `count` turns, whether or not they suffice for the running work. */
export async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await turn()
}

/** Waits until all remaining work waits for time to pass. */
export async function quiet(): Promise<void> {
  let seen = statements
  for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
    await turn()
    if (statements === seen && compressions === 0 && !others.some((isUnderWay) => isUnderWay())) continue
    seen = statements
    idle = -1
  }
}
