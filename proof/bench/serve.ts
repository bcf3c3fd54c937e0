import { existsSync, readFileSync } from 'node:fs'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createGuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { listen } from '../../src/lib/http/http-listen.ts'
import { createHttpServer } from '../../src/lib/http/http-server.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createLnd, type LndOptions } from '../../src/payments-service/backends/lnd/lnd.ts'
import { createSandboxNetwork } from '../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { createService, DEFAULT_SETTINGS } from '../../src/payments-service/service.ts'
import type { Seeded } from './seed.ts'

/** The process's usage since its start, and its present memory. */
export interface Usage {
  readonly residentBytes: number
  readonly cpuMicroseconds: number
}

/**
 * Serves the payments service on the given database, or a bare route without one. `lnd` describes the service's lnd
 * (LndOptions, as JSON, in a file); without it, the service has a sandbox. Reports its address to its parent, answers
 * any message with its usage so far, and ends with its parent.
 */
async function main(file: string | undefined, lnd: string | undefined): Promise<void> {
  process.on('disconnect', () => process.exit())
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ residentBytes: process.memoryUsage.rss(), cpuMicroseconds: user + system } satisfies Usage)
  })
  process.send?.({ url: file === undefined ? await serveBare() : await serveService(file, lnd) })
}

async function serveService(file: string, lnd: string | undefined): Promise<string> {
  const [clock, entropy, logger] = [systemClock, systemEntropy, silentLogger]
  const fetch = createGuardedFetch({ allowLoopback: true, clock })
  const backend =
    lnd === undefined
      ? createSandboxNetwork({ file: `${file}.node`, clock, entropy, fetch, groupSyncs: true }).backend
      : createLnd(JSON.parse(readFileSync(lnd, 'utf8')) as LndOptions, { clock, entropy })
  const { url } = await createService({
    database: `file:${file}`,
    backend,
    clock,
    entropy,
    logger,
    settings: { ...DEFAULT_SETTINGS, callbacksAllowLoopback: true, transferGroups: groupsOf(file) },
    alone: true,
    port: 0,
  })
  return url
}

/** Returns the groups of projects that belong to one operator, in a book that `seed.ts` made. */
function groupsOf(file: string): readonly (readonly string[])[] {
  if (!existsSync(`${file}.json`)) return []
  const { projectId, receiverId } = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Seeded
  return [[projectId, receiverId]]
}

function serveBare(): Promise<string> {
  const app = createHttpServer({ logger: silentLogger })
  app.post('/', async () => ({ success: true }))
  return listen(app, 0)
}

await main(process.argv[2], process.argv[3])
