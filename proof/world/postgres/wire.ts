import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Chance } from '../chance.ts'
import type { SickDisk } from '../crashing-database.ts'
import { alsoWaitsFor, noteStatement } from '../wait-until-idle.ts'
import { answersTo, LOST, parametersOf, processIn, questionIn } from './messages.ts'
import type { ServerThread } from './server-thread.ts'

/** The most turns of the event loop that an answer takes, during which everything else continues. */
const MAX_TURNS = 3

/** The state that all connections of a process that plays worlds share. */
interface Around {
  readonly server: ServerThread
  /** The source of the random durations of answers. */
  chance: Chance | undefined
  /** The disks of the processes whose COMMITs may be lost, by the application name of their connections. */
  readonly disks: Map<string, SickDisk>
  /** The number of answers that have not arrived yet. */
  underWay: number
  /** All open connections. */
  readonly open: Set<SimulatedWire>
  /** Whether nothing listens at the server's address. */
  away: boolean
  /** Connections that wait for a lock of another connection, in the order in which they began to wait. */
  readonly blocked: Set<SimulatedWire>
}

let around: Around | undefined

/** Replaces every connection to PostgreSQL in this process by a simulated one. */
export function simulateWires(server: ServerThread): void {
  const own: Around = {
    server,
    chance: undefined,
    disks: new Map(),
    open: new Set(),
    away: false,
    underWay: 0,
    blocked: new Set(),
  }
  around = own
  alsoWaitsFor(() => own.underWay > 0)
  const { Connection } = pg as unknown as { Connection: { prototype: Connecting } }
  const connect = Connection.prototype.connect
  Connection.prototype.connect = function simulated(port, host) {
    this.stream = new SimulatedWire(own)
    connect.call(this, port, host)
  }
  // Real time plays no part in a world: an unused connection stays open.
  const { Pool } = pg
  pg.Pool = class extends Pool {
    constructor(config?: pg.PoolConfig) {
      super({ ...config, idleTimeoutMillis: 0 })
    }
  } as typeof pg.Pool
}

interface Connecting {
  stream: unknown
  connect(port: number, host: string): void
}

/** Begins a new world, whose random numbers decide how long answers take. */
export function beginWires(chance: Chance): void {
  if (around !== undefined) around.chance = chance
}

/** Makes COMMITs of connections with this application name fail as `disk` decides. */
export function loseCommitsOf(application: string, disk: SickDisk): void {
  around?.disks.set(application, disk)
}

/**
 * Crashes the server: every connection is lost, and with it its transaction, unless the COMMIT has arrived. New
 * connections fail until the returned function is called.
 */
export function crashServer(): () => void {
  const common = around
  if (common === undefined) throw new Error('no connection is simulated')
  common.away = true
  const lost = [...common.open]
  for (const wire of lost) wire.lose()
  common.server.terminate(lost.flatMap(({ pid }) => pid ?? []))
  return () => {
    common.away = false
  }
}

/** A simulated connection, which the driver uses as its socket. */
class SimulatedWire extends EventEmitter {
  writable = true
  readonly #around: Around
  #wire = 0
  #pid: number | undefined
  #application: string | undefined
  #unsent: Buffer[] = []
  /** Resolves when the latest answer has been delivered, so that answers keep their order. */
  #delivering: Promise<void> = Promise.resolve()

  constructor(common: Around) {
    super()
    this.#around = common
  }

  /** The number of the server's process at the other end, once it is known. */
  get pid(): number | undefined {
    return this.#pid
  }

  connect(port: number, host: string): void {
    if (this.#around.away) {
      this.writable = false
      const refused = Object.assign(new Error(`connect ECONNREFUSED ${host}:${port}`), { code: 'ECONNREFUSED' })
      setImmediate(() => this.emit('error', refused))
      return
    }
    this.#around.open.add(this)
    this.#wire = this.#around.server.open(host, port)
    setImmediate(() => this.emit('connect'))
  }

  write(bytes: Buffer, done?: () => void): boolean {
    if (this.#application === undefined) this.#begin(bytes)
    else this.#say(bytes)
    if (done !== undefined) queueMicrotask(done)
    return true
  }

  /** Breaks the connection, as if the server had gone. */
  lose(): void {
    this.#around.blocked.delete(this)
    this.#lose(LOST)
  }

  end(): void {
    this.#close()
  }

  destroy(): void {
    this.#close()
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
  cork(): void {}
  uncork(): void {}

  #begin(startup: Buffer): void {
    this.#application = parametersOf(startup).get('application_name') ?? ''
    this.#exchange(startup, 1)
  }

  #say(bytes: Buffer): void {
    this.#unsent.push(bytes)
    const all = Buffer.concat(this.#unsent)
    const answers = answersTo(all)
    if (answers === 0) {
      this.#unsent = [all]
      return
    }
    this.#unsent = []
    noteStatement()
    const lost = this.#lostCommit(all)
    if (lost === undefined) this.#exchange(all, answers)
    else this.#loseCommit(all, lost)
  }

  /**
   * Returns whether the connection is lost before or after the server receives this COMMIT; undefined if it is not
   * lost.
   */
  #lostCommit(bytes: Buffer): 'before' | 'after' | undefined {
    const question = questionIn(bytes)
    if (question === undefined || !question.endsWith('COMMIT')) return undefined
    const disk = this.#around.disks.get(this.#application ?? '')
    if (disk === undefined || !disk.chance().happens(disk.risk())) return undefined
    return disk.chance().happens(0.5) ? 'before' : 'after'
  }

  #loseCommit(bytes: Buffer, when: 'before' | 'after'): void {
    const { server } = this.#around
    const isWhole = questionIn(bytes)?.startsWith('BEGIN')
    if (when === 'after') server.exchange(this.#wire, bytes, 1, undefined)
    // The server rolls back when it notices, and nobody may depend on when that is.
    else if (!isWhole) server.exchange(this.#wire, ROLLBACK, 1, undefined)
    this.#lose('read ECONNRESET')
  }

  #exchange(bytes: Buffer, answers: number): void {
    const { server, blocked } = this.#around
    this.#around.underWay += 1
    const heard = server.exchange(this.#wire, bytes, answers, this.#pid)
    if (heard === undefined) {
      // A connection that waits for another one does not hold up the world's time.
      this.#around.underWay -= 1
      blocked.add(this)
      return
    }
    this.#deliver(heard)
    for (const waiting of blocked) waiting.lookAgain()
  }

  /** Delivers the answer for which this connection waits, if nothing blocks the connection any more. */
  lookAgain(): void {
    const { server, blocked } = this.#around
    const heard = server.answerOf(this.#wire, this.#pid ?? 0)
    if (heard === undefined) return
    blocked.delete(this)
    this.#around.underWay += 1
    this.#deliver(heard)
  }

  /** Delivers the server's messages a few turns later. */
  #deliver(heard: Uint8Array | string): void {
    const turns = this.#around.chance?.between(1, MAX_TURNS) ?? 1
    this.#delivering = this.#delivering.then(async () => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      this.#around.underWay -= 1
      if (!this.writable) return
      if (typeof heard === 'string') return this.#lose(heard)
      this.#pid ??= processIn(Buffer.from(heard))
      this.emit('data', Buffer.from(heard))
    })
  }

  #lose(why: string): void {
    if (!this.writable) return
    this.writable = false
    this.#around.open.delete(this)
    this.#around.server.close(this.#wire)
    setImmediate(() => {
      this.emit('error', new Error(why))
      this.emit('close')
    })
  }

  #close(): void {
    if (!this.writable) return
    this.writable = false
    this.#around.blocked.delete(this)
    this.#around.open.delete(this)
    const { server } = this.#around
    server.say(this.#wire, TERMINATE)
    server.close(this.#wire)
    setImmediate(() => {
      this.emit('end')
      this.emit('close')
    })
  }
}

const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])
const ROLLBACK = Buffer.concat([Buffer.from([0x51, 0, 0, 0, 13]), Buffer.from('ROLLBACK\0')])
