import { connect, createServer, type Server } from 'node:net'
import { type Entropy, uniform } from '../entropy.ts'

/**
 * Reserves ports for programs that must know their ports before they listen, and that need the same ports again after a
 * stop. Getting a free port from the system and closing it is not enough: the system may assign that port to the next
 * program that requests one, or to an outgoing connection.
 */

/**
 * The first port to reserve. From here to `END`, ports are lower than those that systems assign: Linux assigns ports
 * from 32768 on (`ip_local_port_range`), other systems from 49152 on.
 */
const FIRST = 20_000
const END = 32_768
/**
 * The number of ports in a block. A block is reserved by listening on its first port, so no two programs have the same
 * block. The last port of a block stands for single ports: see `guardOf`.
 */
const BLOCK = 9
const BLOCKS = Math.floor((END - FIRST) / BLOCK)
/**
 * The fewest free ports in a block. If programs that do not reserve ports here have left fewer, the next block is
 * tried.
 */
const MIN_FREE_PORTS = 4

/** Ports that no other caller, in any process of this machine, gets until `giveBack` is called. */
export interface PortBlock {
  /** The ports, four to seven of them. */
  readonly ports: readonly number[]
  giveBack(): Promise<void>
}

/** Reserves a block, preferably the one with the port `requested`. Throws if no block is left. */
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
 * Reserves one port outside the caller's block. Resolves to a function that releases the port; undefined if the port is
 * in use, or another caller has it, alone or in a block. A caller that reserves a block or a single port listens before
 * looking, so at most one caller gets the port.
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

/** Returns the port on which somebody listens to reserve a single port. */
function guardOf(port: number): number {
  return FIRST + (port % BLOCKS) * BLOCK + BLOCK - 1
}

/**
 * Whether somebody listens on the port now. Unlike `isFree`, this function disturbs no other check at the same time.
 */
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
