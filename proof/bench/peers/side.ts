import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../../nodes/lnd-process.ts'
import type { LoadRequest, NextRequest } from '../load.ts'

/** One of the candidates that take turns: each does the same four kinds of work. */
export interface Side {
  readonly name: string
  readonly url: string
  /** The request that reads a wallet with its balance. */
  readonly wallet: NextRequest
  readonly invoice: NextRequest
  /** The two requests, in turn, that create an invoice and pay it from another account. */
  readonly pair: NextRequest
  /** The request that moves money to another account at once; undefined if that takes an invoice. */
  readonly transfer?: NextRequest
}

/** The number of accounts at a peer, so that each connection has its own and nobody waits for a lock. */
export const PEER_ACCOUNTS = 64

/** Returns requests that alternately create an invoice and pay the one that is found in the answer. */
export function inPairs(
  invoice: NextRequest,
  found: RegExp,
  pay: (connection: number, invoice: string) => LoadRequest,
): NextRequest {
  const paying = new Set<number>()
  return (connection, answer) => {
    const made = paying.delete(connection) ? undefined : found.exec(answer ?? '')?.[1]
    if (made === undefined) return invoice(connection, answer)
    paying.add(connection)
    return pay(connection, made)
  }
}

/** Runs a program with its children until the stack ends. Resolves when the program answers. */
export async function startProgram(
  command: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  stack: AsyncDisposableStack,
  answers: () => Promise<boolean>,
): Promise<void> {
  const [program, ...args] = command
  const child = spawn(program, args, { ...options, stdio: 'ignore', detached: true })
  await once(child, 'spawn')
  const ended = once(child, 'exit')
  stack.defer(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  await until(`${program} answers`, answers)
}

/** Sends a body as JSON, and resolves to the answer. Throws if the request is refused. */
export async function post<T>(url: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
