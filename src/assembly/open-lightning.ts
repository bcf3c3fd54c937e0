import { type LightningConfig, type NodeConfig, Secret } from '../config/config.ts'
import type { LightningBackend } from '../payments-service/backends/backend.ts'
import type { SandboxNetwork } from '../payments-service/backends/sandbox/sandbox-network.ts'
import { createBackend, type NodeSettings } from '../payments-service/engine/node/backend-list.ts'
import { openSandbox, type SandboxStart } from './open-sandbox.ts'
import type { Runtime } from './runtime.ts'

export interface LightningStart extends Runtime, SandboxStart {}

export interface Lightning {
  readonly backend: LightningBackend
  /**
   * If the backend is a sandbox in this process: the network around it, and the token that the network's routes
   * require.
   */
  readonly sandbox?: { readonly network: SandboxNetwork; readonly token: string }
  /** Tells the backend the service's addresses. A sandbox's outside wallet reaches LNURL only at these addresses. */
  serveAt(...urls: readonly string[]): void
  close(): Promise<void>
}

/** Opens the configured Lightning node. Throws Problem for settings that can never work. */
export async function openLightning(config: LightningConfig, start: LightningStart): Promise<Lightning> {
  if (config.kind === 'sandbox') {
    const { network, token, serveAt, close } = openSandbox(start)
    return { backend: network.backend, sandbox: { network, token }, serveAt, close }
  }
  const { clock, entropy, logger } = start
  const backend = await createBackend(nodeSettings(config), { clock, entropy, logger: logger.child({ part: 'node' }) })
  return { backend, serveAt: (...urls) => backend.serveAt?.(...urls), close: () => backend.close() }
}

function nodeSettings(config: NodeConfig): NodeSettings {
  const clear = Object.entries(config).map(([key, value]) => [key, value instanceof Secret ? value.reveal() : value])
  return Object.fromEntries(clear) as NodeSettings
}
