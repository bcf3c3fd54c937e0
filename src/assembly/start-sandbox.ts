import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { listen } from '../lib/http/http-listen.ts'
import { createHttpServer } from '../lib/http/http-server.ts'
import { nodeRoutes } from '../payments-service/backends/sandbox/node-routes.ts'
import { sandboxRoutes } from '../payments-service/backends/sandbox/routes.ts'
import { SANDBOX_TOKEN_FILE } from '../payments-service/backends/sandbox/sandbox-token.ts'
import { openSandbox } from './open-sandbox.ts'
import type { Runtime } from './runtime.ts'

export interface SandboxServer {
  /** The address at which the server listens. */
  readonly url: string
  /** The path of the file with the token that callers need. */
  readonly tokenFile: string
  close(): Promise<void>
}

/**
 * Starts the sandbox as a separate server, which offers its node to services elsewhere (`/node`) and its outside wallet
 * (`/sandbox`) to callers with the sandbox's token. Throws Problem if the folder is in use or the port is taken.
 */
export async function startSandbox(
  config: Pick<Config, 'sandbox' | 'dataFolder' | 'host'>,
  { clock, entropy, logger }: Runtime,
): Promise<SandboxServer> {
  const sandbox = openSandbox({ dataFolder: config.dataFolder, clock, entropy })
  try {
    const tokenFile = join(config.dataFolder, SANDBOX_TOKEN_FILE)
    let url = ''
    const access = {
      token: sandbox.token,
      ownUrls: () => (config.sandbox.url === undefined ? [url] : [url, config.sandbox.url]),
      whereTokenIs: `The file ${SANDBOX_TOKEN_FILE} in the data folder of the sandbox has it.`,
    }
    const app = createHttpServer({ logger: logger.child({ part: 'sandbox' }), clock })
    app.get('/health', async () => ({ status: 'ok' }))
    await app.register(sandboxRoutes(sandbox.network, access))
    await app.register(nodeRoutes(sandbox.network.backend, { access, onHello: (serves) => sandbox.serveAt(...serves) }))
    url = await listen(app, config.sandbox.port, config.host, 'SANDBOX_PORT')
    const close = async () => {
      await app.close()
      await sandbox.close()
    }
    return { url, tokenFile, close }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}
