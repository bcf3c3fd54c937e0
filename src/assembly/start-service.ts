import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Msats, sats } from '../lib/amount.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { createGuardedFetch } from '../lib/guarded-fetch.ts'
import { createSandboxNetwork } from '../payments-service/backends/sandbox/sandbox-network.ts'
import type { PaymentsDatabase } from '../payments-service/database.ts'
import { createService, DEFAULT_SETTINGS, type Service, type ServiceSettings } from '../payments-service/service.ts'
import type { Surroundings } from './surroundings.ts'

export interface ServiceStart extends Surroundings {
  readonly config: Pick<Config, 'service' | 'dataFolder' | 'host'>
  /** The bot of the same process gets callbacks on loopback, whatever the settings say of others. */
  readonly withBot?: boolean
  /** An open database, which stays its opener's to close; left out: the configuration's. */
  readonly database?: PaymentsDatabase
  /** How long a sandbox payment takes, in milliseconds. */
  readonly paymentTakesMs?: number
  /** What the outside wallet of a new sandbox begins with. */
  readonly outsideHolds?: Msats
}

/**
 * Starts the payments service in the box with its Lightning backend. Closing it stops both. Throws DatabaseProblem or
 * HttpPortTaken.
 */
export async function startService(start: ServiceStart): Promise<Service> {
  const { config, clock, entropy, logger } = start
  const settings = serviceSettings(config.service, start.withBot ?? false)
  // The outside wallet stands for wallets all over the world; here it reaches the service on this machine.
  const walletFetch = createGuardedFetch({ allowLoopback: true, clock })
  const sandbox = createSandboxNetwork({
    file: join(openDataFolder(config.dataFolder), 'lightning-sandbox.sqlite'),
    clock,
    entropy,
    fetch: walletFetch,
    lnurl: { allowLoopbackHttp: true },
    latencyMs: start.paymentTakesMs ?? 0,
    ...(start.outsideHolds !== undefined ? { balances: { outside: start.outsideHolds } } : {}),
  })
  try {
    const service = await createService({
      database: start.database ?? config.service.databaseUrl,
      backend: sandbox.backend,
      sandbox,
      clock,
      entropy,
      logger: logger.child({ part: 'service' }),
      settings,
      port: config.service.port,
      host: config.host,
    })
    const close = async () => {
      await service.close()
      await sandbox.close()
      await walletFetch.close()
    }
    return { ...service, close }
  } catch (error) {
    await sandbox.close()
    await walletFetch.close()
    throw error
  }
}

function serviceSettings(config: Config['service'], withBot: boolean): ServiceSettings {
  return {
    ...DEFAULT_SETTINGS,
    publicUrl: config.publicUrl,
    feeLimitPercent: config.feeLimitPercent,
    gamertagReservedDays: config.gamertagReservedDays,
    callbacksAllowLoopback: config.callbacksAllowLoopback || withBot,
    outgoingAllowLoopback: config.outgoingAllowLoopback,
    maxAmount: sats(config.maxAmountSats),
    requestsPerSecond: config.requestsPerSecond,
    publicRequestsPerSecond: config.publicRequestsPerSecond,
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken?.reveal(),
    unsupportedCountries: config.unsupportedCountries,
    enforceRegions: config.regionsEnforced,
    regionDatabase: config.regionDatabase,
  }
}
