import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../../src/lib/problem.ts'
import { buildLnd } from '../../nodes/build-lnd.ts'
import { type LndNetwork, startLndNetwork } from '../../nodes/lnd-network.ts'
import { lightningOf } from '../../nodes/lnd-scene.ts'
import { type LoadRequest, load } from '../load.ts'
import { middle } from '../middle.ts'
import { processorTimeOfChildren } from '../processor-time.ts'
import { gamertagOf, type Seeded, seed } from '../seed.ts'
import { withServer } from '../server-process.ts'
import { startLnbits } from './lnbits.ts'
import { startLndhub } from './lndhub.ts'
import { inPairs, type Side } from './side.ts'

const CONNECTIONS = [1, 16, 64]
const ACCOUNTS = 1_000

export interface PeersOptions {
  readonly seconds: number
  readonly rounds: number
  /** The peers' programs: see `startLndhub` and `startLnbits`. */
  readonly lndhub: string | undefined
  readonly lnbits: string | undefined
  /**
   * Whether we and lndhub.go use the same real lnd. Otherwise lndhub.go's program needs no lnd, and the service uses
   * its sandbox.
   */
  readonly realLnd: boolean
}

/**
 * Measures the service and its peers in turn on one machine, with the same client, the same work and the same number of
 * connections.
 */
export async function benchPeers({ lndhub, lnbits, realLnd, ...options }: PeersOptions): Promise<void> {
  if (lndhub === undefined && lnbits === undefined)
    throw new Problem('Name a program: npm run prove -- bench peers [--lnbits PROGRAM] [--lndhub PROGRAM [--real-lnd]]')
  if (realLnd && lnbits !== undefined)
    throw new Problem('LNbits runs without an lnd here. Measure it by itself, without --real-lnd')
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(process.cwd(), '.bench-'))
  stack.defer(() => rmSync(folder, { recursive: true }))
  // As root, PostgreSQL runs as another user, who must find its folder.
  chmodSync(folder, 0o755)
  const network = realLnd ? await startLndNetwork(await buildLnd(console.error)) : undefined
  stack.defer(() => network?.close())
  const peers: Side[] = []
  if (lndhub !== undefined) peers.push(await startLndhub(lndhub, folder, network, stack))
  if (lnbits !== undefined) peers.push(await startLnbits(lnbits, join(folder, 'lnbits'), stack))
  const few = await seed(join(folder, 'book.sqlite'), ACCOUNTS)
  const args = network === undefined ? [few.file] : [few.file, await writeLndOptions(folder, network)]
  await withServer(args, ({ url }) => compare(satchel(url, few), peers, options))
}

const NAMES = { transfer: 'transfers', invoice: 'invoices', pair: 'invoices paid', wallet: 'wallet reads' }
type Work = keyof typeof NAMES

/** One side's result in one round. */
interface Turn {
  readonly perSecond: number
  /**
   * Processor time per operation of everything that serves: the service or the peer, its children, its database's
   * server, its node.
   */
  readonly cpuMicroseconds: number
  readonly failures: number
}

async function takeTurn(side: Side, work: Work, connections: number, seconds: number): Promise<Turn> {
  const next = work === 'transfer' ? (side.transfer ?? side.pair) : side[work]
  const requests = next === side.pair ? 2 : 1
  const before = processorTimeOfChildren() ?? Number.NaN
  const { perSecond, answers, failures } = await load({ url: side.url, connections, seconds, next })
  const used = (processorTimeOfChildren() ?? Number.NaN) - before
  return { perSecond: perSecond / requests, cpuMicroseconds: (used / answers) * requests, failures }
}

async function compare(ours: Side, peers: readonly Side[], options: { seconds: number; rounds: number }) {
  for (const connections of CONNECTIONS) {
    for (const work of Object.keys(NAMES) as Work[]) {
      const sides = [ours, ...peers].map((side) => ({ side, turns: [] as Turn[] }))
      for (let round = -1; round < options.rounds; round += 1) {
        for (const { side, turns } of sides) {
          const turn = await takeTurn(side, work, connections, options.seconds)
          // The first round is a warm-up.
          if (round >= 0) turns.push(turn)
        }
      }
      const [own, ...others] = sides.map(({ side, turns }) => ({ name: side.name, turns }))
      for (const { name, turns } of others) report(`${NAMES[work]}, ${connections}, ÷ ${name}`, own?.turns ?? [], turns)
    }
  }
}

function report(what: string, ours: readonly Turn[], theirs: readonly Turn[]): void {
  const ratios = ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN))
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  const [rate, theirRate] = [ours, theirs].map((turns) => middle(turns.map(({ perSecond }) => perSecond)))
  const [cpu = 0, theirCpu = 0] = [ours, theirs].map((turns) => middle(turns.map((turn) => turn.cpuMicroseconds)))
  const [failures, theirFailures] = [ours, theirs].map((turns) => turns.reduce((sum, turn) => sum + turn.failures, 0))
  const failed = failures || theirFailures ? `   FAILED: ${failures}, ${theirFailures}` : ''
  console.log(
    `${what.padEnd(36)} ${figure(middle(ratios))} by the clock (${figure(least)} to ${figure(most)}), ` +
      `${figure(theirCpu / cpu)} in processor time   ` +
      `${rate?.toFixed(0)}, ${theirRate?.toFixed(0)}/s   ${cpu.toFixed(0)}, ${theirCpu.toFixed(0)} µs each${failed}`,
  )
}

function figure(ratio: number): string {
  return ratio.toPrecision(3)
}

function satchel(url: string, { apiKey, accounts }: Seeded): Side {
  const headers = { apikey: apiKey }
  const send = (path: string, body: object): LoadRequest => {
    return { method: 'POST', path, headers, body: JSON.stringify(body) }
  }
  const anybody = () => ({ gamertag: gamertagOf(Math.floor(Math.random() * accounts)), description: 'bench' })
  const invoice = () => send('/v0/gamertag/charges', { amount: '1000', ...anybody() })
  return {
    name: 'Satchel',
    url,
    wallet: () => ({ method: 'GET', path: '/v0/wallet', headers }),
    invoice,
    pair: inPairs(invoice, /"invoiceRequest":"(\w+)"/, (_, made) => send('/v0/payments', { invoice: made })),
    transfer: () => send('/v0/gamertag/send-payment', { amount: '1000', ...anybody() }),
  }
}

async function writeLndOptions(folder: string, network: LndNetwork): Promise<string> {
  const { url, macaroon, certificate } = await lightningOf(network)
  const file = join(folder, 'lnd.json')
  writeFileSync(file, JSON.stringify({ url, macaroon: macaroon.reveal(), certificate }), { mode: 0o600 })
  return file
}
