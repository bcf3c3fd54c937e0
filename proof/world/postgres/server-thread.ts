import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { FromServer, ToServer } from './wire-worker.ts'

/** How long the server is given before somebody looks whether it waits for another connection. Real milliseconds. */
const LOOK_AFTER_MS = 20
/** The server's processes end at once; a busy machine may take longer over it. */
const GONE_AFTER_MS = 60_000

/**
 * The server, as a world sees it: it answers before anything else goes on, as SQLite does. A thread of its own holds the sockets,
 * and this one stands still meanwhile. So what a world does depends on its seed alone, and not on how busy the machine is.
 */
export class ServerThread {
  readonly #port: MessagePort
  readonly #bell = new Int32Array(new SharedArrayBuffer(4))
  /** Messages for connections that waited for another one. */
  readonly #heard = new Map<number, Uint8Array | string>()
  readonly #url: string
  #wires = 0

  /** `url` is a database of the server, for looking at its locks. */
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

  /** Connects. Returns the connection's number. */
  open(host: string, port: number): number {
    this.#wires += 1
    this.#tell({ kind: 'open', wire: this.#wires, host, port })
    return this.#wires
  }

  /**
   * Says something that the server answers so often. Returns its answer; a text when the connection is lost; or undefined when it
   * waits for what another connection has locked: `answerOf` tells later.
   */
  exchange(wire: number, bytes: Buffer, answers: number, pid: number | undefined): Uint8Array | string | undefined {
    this.#tell({ kind: 'send', wire, bytes: Uint8Array.from(bytes), answers })
    return this.#wait(wire, pid)
  }

  /** The answer of a connection that waited, as soon as nobody is in its way any more; undefined before. */
  answerOf(wire: number, pid: number): Uint8Array | string | undefined {
    return this.#heard.has(wire) || !this.#isInTheWay(pid) ? this.#wait(wire, pid) : undefined
  }

  /** Says something that has no answer. */
  say(wire: number, bytes: Buffer): void {
    this.#tell({ kind: 'send', wire, bytes: Uint8Array.from(bytes), answers: 0 })
  }

  close(wire: number): void {
    this.#heard.delete(wire)
    this.#tell({ kind: 'close', wire })
  }

  /** Ends the server's processes behind these connections, with what their transactions have done; returns when they are gone. */
  terminate(pids: readonly number[]): void {
    this.ask(this.#url, `SELECT pg_terminate_backend(pid, ${GONE_AFTER_MS}) FROM unnest($1::int[]) AS pid`, pids)
  }

  /** Asks on its own connection, at once. Every whole number is a bigint. Throws what the server says is wrong. */
  ask<Row>(url: string, sql: string, ...values: unknown[]): Row[] {
    this.#tell({ kind: 'ask', url, sql, values })
    return this.#answer() as Row[]
  }

  /** Ends the connection that `ask` has used for a database. */
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

  /** Somebody is in the way of a connection: it waits for a lock that was not given to it. */
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

  /** The next thing that the other thread says; undefined when it says nothing for so long. */
  #next(timeoutMs: number | undefined): FromServer | undefined {
    const rung = Atomics.load(this.#bell, 0)
    const received = receiveMessageOnPort(this.#port)
    if (received !== undefined) return received.message
    Atomics.wait(this.#bell, 0, rung, timeoutMs)
    return receiveMessageOnPort(this.#port)?.message
  }
}
