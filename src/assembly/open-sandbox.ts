import { join } from 'node:path'
import { openDataFolder } from '../lib/data-folder.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import { createGuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { Msats } from '../lib/money/amount.ts'
import { createSandboxNetwork, type SandboxNetwork } from '../payments-service/backends/sandbox/sandbox-network.ts'
import { sandboxToken } from '../payments-service/backends/sandbox/sandbox-token.ts'
import type { Runtime } from './runtime.ts'

export interface SandboxStart extends Pick<Runtime, 'clock' | 'entropy'> {
  readonly dataFolder: string
  /** How long a sandbox payment takes, in milliseconds. */
  readonly paymentTakesMs?: number
  /** The initial balance of a new sandbox's outside wallet. */
  readonly outsideHolds?: Msats
}

export interface OpenSandbox {
  readonly network: SandboxNetwork
  /** The token that the network's routes require. */
  readonly token: string
  /** Adds a service's addresses to those at which the outside wallet may reach LNURL. All others are forbidden. */
  serveAt(...urls: readonly string[]): void
  close(): Promise<void>
}

/** Opens the sandbox network in a data folder. Throws Problem while another process has the network open. */
export function openSandbox({ dataFolder, clock, entropy, paymentTakesMs, outsideHolds }: SandboxStart): OpenSandbox {
  // The outside wallet stands for wallets all over the world, but a person who gives it an address must not make it
  // reach other servers of this machine or network.
  const origins = new Set<string>()
  const walletFetch = createGuardedFetch({ allowLoopback: true, clock, mayAsk: ({ origin }) => origins.has(origin) })
  const folder = openDataFolder(dataFolder)
  const unlock = lockFolder(folder, 'sandbox')
  const network = createSandboxNetwork({
    file: join(folder, 'lightning-sandbox.sqlite'),
    clock,
    entropy,
    fetch: walletFetch,
    lnurl: { allowLoopbackHttp: true },
    latencyMs: paymentTakesMs ?? 0,
    groupSyncs: true,
    ...(outsideHolds !== undefined ? { balances: { outside: outsideHolds } } : {}),
  })
  return {
    network,
    token: sandboxToken(folder, entropy),
    serveAt: (...urls) => {
      for (const url of urls) origins.add(new URL(url).origin)
    },
    async close() {
      await network.close()
      await walletFetch.close()
      unlock()
    },
  }
}
