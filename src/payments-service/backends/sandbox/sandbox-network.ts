import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import { publicKey } from '../../../lib/lightning/bolt11.ts'
import type { LnurlOptions } from '../../../lib/lightning/lnurl.ts'
import type { LnurlFetch } from '../../../lib/lightning/lnurl-client.ts'
import { MSATS_PER_BTC, type Msats, msats, sats } from '../../../lib/money/amount.ts'
import type { LightningBackend } from '../backend.ts'
import { Arrivals } from './arrivals.ts'
import { Flights } from './flights.ts'
import type { RoutingFee } from './invoicing.ts'
import type { SyncFile } from './log-sync.ts'
import { type EndName, type FaultKind, NetworkFile } from './network-file.ts'
import { OurNode } from './our-node.ts'
import { OutsideWallet } from './outside-wallet.ts'

export type { FaultKind } from './network-file.ts'
export type { OutsideWallet } from './outside-wallet.ts'

export interface SandboxOptions {
  /** The path of the network's own SQLite file, or `:memory:`. Only one process may open it at a time. */
  readonly file: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** The fetch, such as the guarded fetch, by which the outside wallet reaches LNURL services. */
  readonly fetch: LnurlFetch
  /** Whether the outside wallet may use http to reach this machine. */
  readonly lnurl?: LnurlOptions
  /** The routers' fee. Default: 1 sat and 0.1 %. */
  readonly routingFee?: RoutingFee
  /** How long a payment takes by the clock, in either direction. Default: 0, so each payment ends with its call. */
  readonly latencyMs?: number
  /** The balances of a new network's two ends. Default: DEFAULT_BALANCES. */
  readonly balances?: Partial<Record<EndName, Msats>>
  /**
   * Whether one sync of the file covers all simultaneous changes, which are reported only after the sync. Default:
   * false, with one sync for each change.
   */
  readonly groupSyncs?: boolean
  /** The function that flushes grouped changes to the disk. Default: fdatasync, off the event loop. */
  readonly syncFile?: SyncFile
}

/**
 * A miniature Lightning network: our node, one outside wallet for everybody else, and additional wallets for individual
 * people.
 */
export interface SandboxNetwork {
  /** Our node, as the payments service uses it. Closing it closes the network. */
  readonly backend: LightningBackend
  readonly outside: OutsideWallet
  /** Returns one person's wallet; undefined if nobody has this name. */
  wallet(name: string): OutsideWallet | undefined
  /**
   * Sets a fault for our node's next payments, in place of an earlier fault. `fail`: the payment fails, with proof.
   * `hang`: the payment does not end before `release`. `unknown-then-…`: the call ends with `unknown`, and the payment
   * ends later (after 2 s). `overcharge`: the payment settles with a fee above the limit. `delayMs` sets when the
   * payment ends, even with `hang`. `times` is the number of payments: 1 by default; 0 removes the fault.
   */
  setFault(kind: FaultKind, options?: { readonly times?: number; readonly delayMs?: number }): void
  /**
   * Ends payments in flight now: the one with this hash, or all that hang. Returns the number of ended payments. A
   * process that was stopped in the meantime finds the outcome when it looks up the payment.
   */
  release(outcome: 'settle' | 'fail', paymentHash?: string): number
  /** Resolves when all changes so far are on the disk. */
  durable(): Promise<void>
  /** Stops timers and listeners. Payments in flight continue when the network is reopened. */
  close(): Promise<void>
}

/** The default balances: our node has 1,000 BTC in channels, and the outside wallet has 10 BTC. */
export const DEFAULT_BALANCES = { ours: msats(1_000n * MSATS_PER_BTC), outside: msats(10n * MSATS_PER_BTC) }
const DEFAULT_ROUTING_FEE: RoutingFee = { base: sats(1), partsPerMillion: 1_000 }

/**
 * Opens the network in its file, or creates a new network. The file is the node's own storage: it does not depend on
 * the service's books, and stays consistent if the process is killed at any moment.
 */
export function createSandboxNetwork(options: SandboxOptions): SandboxNetwork {
  const { clock, entropy, fetch, latencyMs = 0, routingFee = DEFAULT_ROUTING_FEE } = options
  const balances = { ...DEFAULT_BALANCES, ...options.balances }
  const file = new NetworkFile(options.file, entropy, {
    balances,
    groupSyncs: options.groupSyncs ?? false,
    syncFile: options.syncFile,
  })
  const pubkeys = { ours: publicKey(file.privateKey('ours')), outside: publicKey(file.privateKey('outside')) }
  const arrivals = new Arrivals(file)
  const flights = new Flights(file, clock, arrivals)
  const close = async () => {
    flights.close()
    arrivals.close()
    await file.close()
  }
  const around = { file, clock, entropy, arrivals, latencyMs, fetch, lnurl: options.lnurl ?? {} }
  return {
    backend: new OurNode({ file, clock, entropy, flights, arrivals, pubkeys, routingFee, latencyMs, close }),
    outside: new OutsideWallet(around),
    wallet(name) {
      const node = `wallet:${name}` as const
      return file.hasNode(node) ? new OutsideWallet({ ...around, node }) : undefined
    },
    setFault: (kind, { times = 1, delayMs } = {}) => file.setFault(kind, times, delayMs),
    release: (outcome, paymentHash) => flights.release(outcome, paymentHash),
    durable: async () => file.durable(),
    close,
  }
}
