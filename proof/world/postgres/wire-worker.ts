import { connect, type Socket } from 'node:net'
import { type MessagePort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { isWhole, LOST } from './messages.ts'

/** The thread that holds the sockets to the server while the thread that plays worlds waits. */

export type ToServer =
  | { readonly kind: 'open'; readonly wire: number; readonly host: string; readonly port: number }
  /** Bytes for the server; `answers`: how often it will then report that it is ready. */
  | { readonly kind: 'send'; readonly wire: number; readonly bytes: Uint8Array; readonly answers: number }
  | { readonly kind: 'close'; readonly wire: number }
  /** A query on one of this thread's own connections, one for each database. */
  | { readonly kind: 'ask'; readonly url: string; readonly sql: string; readonly values: readonly unknown[] }
  | { readonly kind: 'leave'; readonly url: string }

export type FromServer =
  | { readonly wire: number; readonly bytes: Uint8Array }
  | { readonly wire: number; readonly lost: string }
  | { readonly rows: readonly object[] }
  | { readonly refused: string }

interface Wire {
  readonly socket: Socket
  readonly heard: Uint8Array[]
  answers: number
}

const { port, bell } = workerData as { readonly port: MessagePort; readonly bell: Int32Array }
const wires = new Map<number, Wire>()
const askers = new Map<string, pg.Client>()

/** Sends a message to the waiting thread, and wakes it. */
function tell(message: FromServer): void {
  port.postMessage(message)
  Atomics.add(bell, 0, 1)
  Atomics.notify(bell, 0)
}

function open({ wire, host, port: to }: ToServer & { kind: 'open' }): void {
  const socket = connect({ host, port: to, noDelay: true })
  const opened: Wire = { socket, heard: [], answers: 0 }
  wires.set(wire, opened)
  const lost = (why: string) => {
    if (wires.delete(wire)) tell({ wire, lost: why })
  }
  socket.on('error', ({ message }) => lost(message))
  socket.on('close', () => lost('Connection terminated unexpectedly'))
  socket.on('data', (bytes) => {
    opened.heard.push(bytes)
    if (opened.answers === 0) return
    const all = Buffer.concat(opened.heard)
    opened.heard.splice(0, opened.heard.length, all)
    if (!isWhole(all, opened.answers)) return
    opened.answers = 0
    opened.heard.length = 0
    tell({ wire, bytes: Uint8Array.from(all) })
  })
}

function send({ wire, bytes, answers }: ToServer & { kind: 'send' }): void {
  const opened = wires.get(wire)
  if (opened === undefined) {
    if (answers > 0) tell({ wire, lost: LOST })
    return
  }
  opened.answers = answers
  opened.socket.write(bytes)
}

async function ask({ url, sql, values }: ToServer & { kind: 'ask' }): Promise<void> {
  try {
    tell({ rows: (await (await asker(url)).query(sql, [...values])).rows })
  } catch (error) {
    tell({ refused: String(error) })
  }
}

async function asker(url: string): Promise<pg.Client> {
  const known = askers.get(url)
  if (known !== undefined) return known
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: asSqliteHasIt } as never })
  client.on('error', () => {})
  askers.set(url, client)
  await client.connect()
  return client
}

const [BOOL, INT8, INT2, INT4, NUMERIC] = [16, 20, 21, 23, 1700]

/** Returns a parser for values of a type, which converts every whole number and boolean to a bigint, as from SQLite. */
function asSqliteHasIt(type: number): (text: string) => unknown {
  if (type === BOOL) return (text) => (text === 't' ? 1n : 0n)
  return [INT8, INT2, INT4, NUMERIC].includes(type) ? BigInt : (text) => text
}

async function leave(url: string): Promise<void> {
  const client = askers.get(url)
  askers.delete(url)
  await client?.end().catch(() => {})
  tell({ rows: [] })
}

port.on('message', (message: ToServer) => {
  if (message.kind === 'open') open(message)
  else if (message.kind === 'send') send(message)
  else if (message.kind === 'ask') void ask(message)
  else if (message.kind === 'leave') void leave(message.url)
  else {
    const { wire } = message
    const closed = wires.get(wire)
    wires.delete(wire)
    closed?.socket.end()
  }
})
