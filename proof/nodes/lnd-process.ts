import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/lib/clock.ts'
import { createNodeHttp, type NodeHttp } from '../../src/payments-service/backends/node-http.ts'

/** A program of the network that can be killed, frozen and restarted. */
export class Program {
  readonly #path: string
  readonly #args: readonly string[]
  readonly #log: string
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(path: string, args: readonly string[], log: string) {
    this.#path = path
    this.#args = args
    this.#log = log
  }

  start(more: readonly string[] = []): void {
    const log = openSync(this.#log, 'a')
    const child = spawn(this.#path, [...this.#args, ...more], { stdio: ['ignore', log, log] })
    closeSync(log)
    this.#child = child
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()))
  }

  /** Sends a signal: SIGSTOP freezes the program, SIGCONT continues it, and SIGKILL ends it immediately. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.signal('SIGCONT')
    this.signal(signal)
    await this.#ended
    this.#child = undefined
  }
}

/** Calls `ask` until there is an answer. Throws once the time is up. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>, ms = 60_000): Promise<T> {
  const deadline = performance.now() + ms
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const found = await ask()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      last = error
    }
    await pause(50)
  }
  throw new Error(`it never happened: ${what} (${String(last)})`)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The port and certificate by which an lnd reaches its btcd. */
export interface Chain {
  readonly rpcPort: number
  readonly rpcCert: string
}

/** The time limit of a start in ms; a start takes seconds, or minutes on a busy machine. */
const START_LIMIT_MS = 240_000

/** One lnd on the regtest network, with all rights. */
export class LndProcess {
  readonly folder: string
  readonly url: string
  readonly p2p: string
  /** The address of its gRPC interface. */
  readonly rpc: string
  readonly #program: Program
  #http: NodeHttp | undefined

  constructor(lnd: string, folder: string, chain: Chain, ports: { rest: number; rpc: number; p2p: number }) {
    this.folder = folder
    this.url = `https://127.0.0.1:${ports.rest}`
    this.p2p = `127.0.0.1:${ports.p2p}`
    this.rpc = `127.0.0.1:${ports.rpc}`
    mkdirSync(folder, { recursive: true })
    const args = [
      `--lnddir=${folder}`,
      '--bitcoin.regtest',
      '--bitcoin.node=btcd',
      `--btcd.rpchost=127.0.0.1:${chain.rpcPort}`,
      '--btcd.rpcuser=test',
      '--btcd.rpcpass=test',
      `--btcd.rpccert=${chain.rpcCert}`,
      `--restlisten=127.0.0.1:${ports.rest}`,
      `--rpclisten=${this.rpc}`,
      `--listen=${this.p2p}`,
      '--tlsextraip=127.0.0.1',
      '--noseedbackup',
      '--nobootstrap',
      '--accept-keysend',
      '--bitcoin.defaultchanconfs=1',
      '--trickledelay=50',
      '--gossip.sub-batch-delay=5ms',
      '--keep-failed-payment-attempts',
      // A failed channel is soon tried again, since nodes return within seconds here.
      '--routerrpc.apriori.penaltyhalflife=5s',
      // Otherwise the pause before it reconnects grows to an hour.
      '--maxbackoff=2s',
    ]
    this.#program = new Program(lnd, args, join(folder, 'out.log'))
  }

  get certificate(): string {
    return readFileSync(join(this.folder, 'tls.cert'), 'utf8')
  }

  /** The macaroon with all rights, in hex. */
  get macaroon(): string {
    return readFileSync(join(this.folder, 'data/chain/bitcoin/regtest/admin.macaroon')).toString('hex')
  }

  start(): void {
    this.#program.start()
  }

  /** Starts the node, and waits until it answers. */
  async up(): Promise<void> {
    this.start()
    const answers = async () => {
      if (!existsSync(join(this.folder, 'data/chain/bitcoin/regtest/admin.macaroon'))) return false
      return (await this.call('GET', '/v1/getinfo')).identity_pubkey !== undefined
    }
    await until(`${this.folder} answers`, answers, START_LIMIT_MS)
  }

  signal(signal: NodeJS.Signals): void {
    this.#program.signal(signal)
  }

  async kill(): Promise<void> {
    await this.#program.end()
    await this.#http?.close()
    this.#http = undefined
  }

  /** Sends one request to lnd's REST interface. Throws if lnd answers with an error. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asks for
  async call(method: 'GET' | 'POST', path: string, body?: object, timeoutMs = 10_000, macaroon?: string): Promise<any> {
    this.#http ??= createNodeHttp({ baseUrl: this.url, ca: this.certificate, clock: systemClock })
    const headers = { 'grpc-metadata-macaroon': macaroon ?? this.macaroon }
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await this.#http.ask({ method, path, headers, ...text, timeoutMs })
    if (answer.status !== 200) throw new Error(`${path}: HTTP ${answer.status} ${answer.body}`)
    // A stream's answer is its last line.
    return JSON.parse(answer.body.trim().split('\n').at(-1) ?? '')
  }

  async pubkey(): Promise<string> {
    return (await this.call('GET', '/v1/getinfo')).identity_pubkey
  }
}
