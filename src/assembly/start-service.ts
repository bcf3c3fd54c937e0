import type { Config } from '../config/config.ts'
import { type Msats, sats } from '../lib/money/amount.ts'
import type { PaymentsDatabase } from '../payments-service/database.ts'
import { createService, DEFAULT_SETTINGS, type Service, type ServiceSettings } from '../payments-service/service.ts'
import { openLightning } from './open-lightning.ts'
import type { Runtime } from './runtime.ts'

export interface ServiceStart extends Runtime {
  readonly config: Pick<Config, 'service' | 'dataFolder' | 'host'>
  /** The bot of the same process gets callbacks on loopback, whatever the settings say of others. */
  readonly withBot?: boolean
  /** An open database, which stays its opener's to close; left out: the configuration's. */
  readonly database?: PaymentsDatabase
  /** How long a sandbox payment takes, in milliseconds. */
  readonly paymentTakesMs?: number
  /** The first balance of the outside wallet of a new sandbox. */
  readonly outsideHolds?: Msats
}

/**
 * Starts the payments service in the box with its Lightning backend. Closing it stops both. Throws DatabaseProblem,
 * NodeMismatch or HttpPortTaken.
 */
export async function startService(start: ServiceStart): Promise<Service> {
  const { config, clock, entropy, logger } = start
  const settings = serviceSettings(config.service, start.withBot ?? false)
  const lightning = await openLightning(config.service.lightning, { ...start, dataFolder: config.dataFolder })
  try {
    const service = await createService({
      database: start.database ?? config.service.databaseUrl,
      backend: lightning.backend,
      ...(lightning.sandbox !== undefined && { sandbox: lightning.sandbox }),
      clock,
      entropy,
      logger: logger.child({ part: 'service' }),
      settings,
      port: config.service.port,
      host: config.host,
    })
    const close = async () => {
      await service.close()
      await lightning.close()
    }
    return { ...service, close }
  } catch (error) {
    await lightning.close()
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
