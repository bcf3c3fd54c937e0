import type { Config } from '../config/config.ts'
import { isFile } from '../lib/database/url-kinds.ts'
import { type Msats, sats } from '../lib/money/amount.ts'
import type { PaymentsDatabase } from '../payments-service/core/database.ts'
import type { TellOperators } from '../payments-service/core/operator-alerts.ts'
import {
  createService,
  DEFAULT_SETTINGS,
  type Service,
  type ServiceOptions,
  type ServiceSettings,
} from '../payments-service/service.ts'
import { openLightning } from './open-lightning.ts'
import type { Runtime } from './runtime.ts'

export interface ServiceStart extends Runtime {
  readonly config: Pick<Config, 'service' | 'dataFolder' | 'host'>
  /** The bot of the same process gets its callbacks on loopback, whatever the settings say of others. */
  readonly isOwnCallback?: ServiceOptions['isOwnCallback']
  /** Adds routes of others to those of the service. */
  readonly addRoutes?: ServiceOptions['addRoutes']
  /** An open database, which stays its opener's to close; left out: the configuration's. */
  readonly database?: PaymentsDatabase
  /** Hears what operators must know of the Lightning node. */
  readonly onAlert?: TellOperators
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
  const settings = serviceSettings(config.service)
  warnOfUnnamedProxy(start)
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
      // The commands that start a service on a file have the lock of its folder.
      alone: isFile(config.service.databaseUrl),
      ...(start.onAlert !== undefined && { onAlert: start.onAlert }),
      ...(start.isOwnCallback !== undefined && { isOwnCallback: start.isOwnCallback }),
      ...(start.addRoutes !== undefined && { addRoutes: start.addRoutes }),
      port: config.service.port,
      host: config.host,
    })
    lightning.serveAt(service.url, service.parts.publicUrl)
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

/** The service speaks http, so an https address is a proxy's. Unnamed, it makes all callers look like one. */
function warnOfUnnamedProxy({ config: { service }, logger }: ServiceStart): void {
  if (service.trustProxy !== false || !service.publicUrl?.startsWith('https:')) return
  logger.warn(
    { publicUrl: service.publicUrl },
    'SERVICE_PUBLIC_URL is an https address, so a proxy stands before the service, but TRUST_PROXY does not name it: all ' +
      'callers count as one, and one stranger can use up the limit of all. Set TRUST_PROXY=true for a proxy on this machine ' +
      'or its private network, otherwise to its address',
  )
}

function serviceSettings(config: Config['service']): ServiceSettings {
  return {
    ...DEFAULT_SETTINGS,
    publicUrl: config.publicUrl,
    feeLimitPercent: config.feeLimitPercent,
    liquidityAlertPercent: config.liquidityAlertPercent,
    gamertagReservedDays: config.gamertagReservedDays,
    reservedNames: config.reservedNames,
    identifiersPerProject: config.identifiersPerProject,
    callbacksAllowLoopback: config.callbacksAllowLoopback,
    outgoingAllowLoopback: config.outgoingAllowLoopback,
    maxAmount: sats(config.maxAmountSats),
    requestsPerSecond: config.requestsPerSecond,
    publicRequestsPerSecond: config.publicRequestsPerSecond,
    invoicesPerMinute: config.invoicesPerMinute,
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken?.reveal(),
    unsupportedCountries: config.unsupportedCountries,
    enforceRegions: config.regionsEnforced,
    regionDatabase: config.regionDatabase,
  }
}
