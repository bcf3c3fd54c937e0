import { Deflate } from 'node:zlib'
import Database from 'better-sqlite3'

/** Turns of the event loop without a statement after which all work has ended. */
const IDLE_TURNS = 10
let statements = 0
let compressions = 0
const others: (() => boolean)[] = []

/** Counts every statement that this process sends to SQLite: the pulse of the simulated processes. */
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
 * Counts compressions of QR pictures. They run in their own thread: a busy machine turns its event loop more often
 * meanwhile.
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

/** Notes that another database received a statement. */
export function noteStatement(): void {
  statements += 1
}

/** Also makes the world's time wait for other work. */
export function alsoWaitsFor(isUnderWay: () => boolean): void {
  others.push(isUnderWay)
}

/** Waits one turn of the event loop, in which everything that is ready continues. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Waits some turns, whether or not that suffices for the running work. */
export async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await turn()
}

/** Waits until all that remains waits for time to pass. */
export async function quiet(): Promise<void> {
  let seen = statements
  for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
    await turn()
    if (statements === seen && compressions === 0 && !others.some((isUnderWay) => isUnderWay())) continue
    seen = statements
    idle = -1
  }
}
