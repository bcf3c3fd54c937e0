import { connect, createServer, type Server } from 'node:net'
import { type Entropy, uniform } from '../entropy.ts'

/**
 * Reserves ports for programs that must know them before they listen, and need them again after a stop. A free port
 * from the system that is closed again is not enough: the system gives it to the next program that asks, or to an
 * outgoing connection.
 */

/**
 * These ports are below those that systems assign. Linux assigns from 32768 on (`ip_local_port_range`), others from
 * 49152 on.
 */
const FIRST = 20_000
const END = 32_768
/**
 * A block is reserved by listening on its first port, so no two programs have the same one. Its last port stands for
 * single ports: `guardOf`.
 */
const BLOCK = 9
const BLOCKS = Math.floor((END - FIRST) / BLOCK)
/** If programs that do not reserve ports here have left fewer, the next block is taken. */
const MIN_FREE_PORTS = 4

/** Ports that no other caller, in any process of this machine, gets until they are released. */
export interface PortBlock {
  /** Four to seven. */
  readonly ports: readonly number[]
  giveBack(): Promise<void>
}

/** Reserves a block, preferably that of the port `requested`. Throws if none is left. */
export async function takePortBlock(entropy: Entropy, requested?: number): Promise<PortBlock> {
  const known = requested !== undefined && requested >= FIRST && requested < END
  const first = known ? Math.floor((requested - FIRST) / BLOCK) : uniform(entropy, BLOCKS)
  for (let step = 0; step < BLOCKS; step += 1) {
    const start = FIRST + ((first + step) % BLOCKS) * BLOCK
    const guard = await tryToListen(start)
    if (guard === undefined) continue
    const ports = await freeBetween(start + 1, start + BLOCK - 1)
    if (ports.length >= MIN_FREE_PORTS) return { ports, giveBack: () => close(guard) }
    await close(guard)
  }
  throw new Error(`No ports are free between ${FIRST} and ${END}.`)
}

/**
 * Reserves one port outside the caller's block, if nobody listens on it. Resolves to how to release it; undefined if
 * another caller has it, also as part of a block. Both sides listen before they look, so at most one gets the port.
 */
export async function reservePort(port: number): Promise<(() => Promise<void>) | undefined> {
  const guard = await tryToListen(guardOf(port))
  if (guard === undefined) return undefined
  const block = FIRST + Math.floor((port - FIRST) / BLOCK) * BLOCK
  const isInBlock = port >= FIRST && port < END && (await isListening(block))
  if (!isInBlock && (await isFree(port))) return () => close(guard)
  await close(guard)
  return undefined
}

/** Returns the port that is listened on while a single port is reserved. */
function guardOf(port: number): number {
  return FIRST + (port % BLOCKS) * BLOCK + BLOCK - 1
}

/** Whether somebody listens on the port now. Unlike `isFree`, this disturbs nobody who looks at the same time. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Whether nobody listens on the port now. */
async function isFree(port: number): Promise<boolean> {
  const server = await tryToListen(port)
  if (server !== undefined) await close(server)
  return server !== undefined
}

async function freeBetween(first: number, end: number): Promise<number[]> {
  const free: number[] = []
  for (let port = first; port < end; port += 1)
    if (!(await isListening(guardOf(port))) && (await isFree(port))) free.push(port)
  return free
}

function tryToListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    // A guard reserves ports, but keeps no process alive.
    server.unref()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
