import { join } from 'node:path'
import type { LightningConfig } from '../config/config.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { createGuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { Msats } from '../lib/money/amount.ts'
import type { LightningBackend } from '../payments-service/backends/backend.ts'
import { createSandboxNetwork, type SandboxNetwork } from '../payments-service/backends/sandbox/sandbox-network.ts'
import { sandboxToken } from '../payments-service/backends/sandbox/sandbox-token.ts'
import { createBackend, type NodeSettings } from '../payments-service/machines/node/create-backend.ts'
import type { Runtime } from './runtime.ts'

export interface LightningStart extends Runtime {
  readonly dataFolder: string
  /** How long a sandbox payment takes, in milliseconds. */
  readonly paymentTakesMs?: number
  /** The first balance of the outside wallet of a new sandbox. */
  readonly outsideHolds?: Msats
}

export interface Lightning {
  readonly backend: LightningBackend
  /** The network around it, where that is the sandbox, and what its routes ask for. */
  readonly sandbox?: { readonly network: SandboxNetwork; readonly token: string }
  /** Names addresses of the service: the sandbox's outside wallet reaches LNURL there, and nowhere else. */
  serveAt(...urls: readonly string[]): void
  close(): Promise<void>
}

/** Opens the Lightning node that the configuration names. Throws Problem for settings that can never work. */
export async function openLightning(config: LightningConfig, start: LightningStart): Promise<Lightning> {
  if (config.kind === 'sandbox') return openSandbox(start)
  const { clock, entropy, logger } = start
  const backend = await createBackend(nodeSettings(config), { clock, entropy, logger: logger.child({ part: 'node' }) })
  return { backend, serveAt: () => undefined, close: () => backend.close() }
}

function openSandbox({ dataFolder, clock, entropy, paymentTakesMs, outsideHolds }: LightningStart): Lightning {
  // The outside wallet stands for wallets all over the world, but a person who names an address to it may have no other
  // server of this machine or network asked.
  const origins = new Set<string>()
  const walletFetch = createGuardedFetch({ allowLoopback: true, clock, mayAsk: ({ origin }) => origins.has(origin) })
  const folder = openDataFolder(dataFolder)
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
  const close = async () => {
    await network.close()
    await walletFetch.close()
  }
  return {
    backend: network.backend,
    sandbox: { network, token: sandboxToken(folder, entropy) },
    serveAt: (...urls) => {
      for (const url of urls) origins.add(new URL(url).origin)
    },
    close,
  }
}

function nodeSettings(config: Exclude<LightningConfig, { kind: 'sandbox' }>): NodeSettings {
  switch (config.kind) {
    case 'lnd':
      return { ...config, macaroon: config.macaroon.reveal() }
    case 'core-lightning':
      return { ...config, rune: config.rune.reveal() }
    case 'phoenixd':
      return { ...config, password: config.password.reveal() }
    case 'nwc':
      return { ...config, uri: config.uri.reveal() }
  }
}
