import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { FromServer, ToServer } from './wire-worker.ts'

/**
 * How long the server may take to answer, in real milliseconds, before this thread checks whether the connection waits
 * for a lock.
 */
const LOOK_AFTER_MS = 20
/** The time limit for the end of the server's processes: they end immediately, except on a busy machine. */
const GONE_AFTER_MS = 60_000

/**
 * The server, as a world sees it: it answers before anything else continues, as SQLite does. A separate thread holds
 * the sockets, and this thread waits for it. A world's behaviour therefore depends on its seed alone, and not on the
 * machine's load.
 */
export class ServerThread {
  readonly #port: MessagePort
  readonly #bell = new Int32Array(new SharedArrayBuffer(4))
  /** Messages that have arrived for connections that waited for a lock of another. */
  readonly #heard = new Map<number, Uint8Array | string>()
  readonly #url: string
  #wires = 0

  /** Starts the thread; `url` is a database of the server, for checking its locks. */
  constructor(url: string) {
    const { port1, port2 } = new MessageChannel()
    const worker = new Worker(new URL('./wire-worker.ts', import.meta.url), {
      workerData: { port: port2, bell: this.#bell },
      transferList: [port2],
    })
    worker.unref()
    port1.unref()
    this.#port = port1
    this.#url = url
  }

  /** Opens a connection to the server. Returns the connection's number. */
  open(host: string, port: number): number {
    this.#wires += 1
    this.#tell({ kind: 'open', wire: this.#wires, host, port })
    return this.#wires
  }

  /**
   * Sends bytes that the server answers `answers` times. Returns the bytes of the answers; a text if the connection is
   * lost; or undefined if the connection waits for another one's lock, in which case `answerOf` returns the answers
   * later.
   */
  exchange(wire: number, bytes: Buffer, answers: number, pid: number | undefined): Uint8Array | string | undefined {
    this.#tell({ kind: 'send', wire, bytes: Uint8Array.from(bytes), answers })
    return this.#wait(wire, pid)
  }

  /** Returns the answer for a waiting connection once nothing blocks the connection; undefined before that. */
  answerOf(wire: number, pid: number): Uint8Array | string | undefined {
    return this.#heard.has(wire) || !this.#isInTheWay(pid) ? this.#wait(wire, pid) : undefined
  }

  /** Sends bytes that have no answer. */
  say(wire: number, bytes: Buffer): void {
    this.#tell({ kind: 'send', wire, bytes: Uint8Array.from(bytes), answers: 0 })
  }

  close(wire: number): void {
    this.#heard.delete(wire)
    this.#tell({ kind: 'close', wire })
  }

  /**
   * Ends the server's processes behind these connections, which undoes their transactions. Returns when the processes
   * are gone.
   */
  terminate(pids: readonly number[]): void {
    this.ask(this.#url, `SELECT pg_terminate_backend(pid, ${GONE_AFTER_MS}) FROM unnest($1::int[]) AS pid`, pids)
  }

  /**
   * Runs a query immediately, on a separate connection, and returns its rows. Every whole number is a bigint. Throws
   * the server's error.
   */
  ask<Row>(url: string, sql: string, ...values: unknown[]): Row[] {
    this.#tell({ kind: 'ask', url, sql, values })
    return this.#answer() as Row[]
  }

  /** Ends the connection that `ask` used for a database. */
  leave(url: string): void {
    this.#tell({ kind: 'leave', url })
    this.#answer()
  }

  #tell(message: ToServer): void {
    this.#port.postMessage(message)
  }

  #wait(wire: number, pid: number | undefined): Uint8Array | string | undefined {
    for (;;) {
      const heard = this.#heard.get(wire)
      if (heard !== undefined) {
        this.#heard.delete(wire)
        return heard
      }
      const message = this.#next(LOOK_AFTER_MS)
      if (message === undefined && pid !== undefined && this.#isInTheWay(pid)) return undefined
      if (message !== undefined) this.#keep(message)
    }
  }

  /** Returns whether a connection is blocked: it waits for a lock that it has not been granted. */
  #isInTheWay(pid: number): boolean {
    const sql = 'SELECT 1 FROM pg_locks WHERE pid = $1 AND NOT granted'
    return this.ask(this.#url, sql, pid).length > 0
  }

  #answer(): readonly object[] {
    for (;;) {
      const message = this.#next(undefined)
      if (message === undefined) continue
      if ('rows' in message) return message.rows
      if ('refused' in message) throw new Error(message.refused)
      this.#keep(message)
    }
  }

  #keep(message: FromServer): void {
    if ('bytes' in message) this.#heard.set(message.wire, message.bytes)
    if ('lost' in message) this.#heard.set(message.wire, message.lost)
  }

  /** Returns the other thread's next message; undefined if none comes within the time limit. */
  #next(timeoutMs: number | undefined): FromServer | undefined {
    const rung = Atomics.load(this.#bell, 0)
    const received = receiveMessageOnPort(this.#port)
    if (received !== undefined) return received.message
    Atomics.wait(this.#bell, 0, rung, timeoutMs)
    return receiveMessageOnPort(this.#port)?.message
  }
}
