import type { Config } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { isFile } from '../lib/database/url-kinds.ts'
import { type Msats, sats } from '../lib/money/amount.ts'
import { lastOwnerOn } from '../lib/ownership/last-owner.ts'
import type { LastOwner } from '../lib/ownership/ownership.ts'
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
import { warnOfUnnamedProxy } from './warn-of-unnamed-proxy.ts'

export interface ServiceStart extends Runtime {
  readonly config: Pick<Config, 'service' | 'dataFolder' | 'host'> &
    Partial<Pick<Config, 'instance' | 'ratesUrl' | 'ratesCurrency'>>
  /**
   * Recognizes the callbacks to the bot in the same process, which may go to a loopback address. The callback settings
   * apply only to all other callbacks.
   */
  readonly isOwnCallback?: ServiceOptions['isOwnCallback']
  /** Returns the project id of the bot in the same process. */
  readonly ownProject?: ServiceOptions['ownProject']
  /** Returns a member's balance at the bot in the same process. */
  readonly heldAtBot?: ServiceOptions['heldAtBot']
  /** Adds routes to the service's web server. */
  readonly addRoutes?: ServiceOptions['addRoutes']
  /** An open database, which the caller closes. By default, the service opens the configured one. */
  readonly database?: PaymentsDatabase
  /** Checks the book (see `BookCheck`). By default, any book is right, as in a separate test world. */
  readonly checkBook?: ((database: PaymentsDatabase) => Promise<void>) | undefined
  /** Where the processes that use the service's book note their ids (see `lastOwnerOfService`). */
  readonly lastOwner?: LastOwner | undefined
  /** Receives alerts for operators about the Lightning node and the service's payments. */
  readonly onAlert?: TellOperators
  /** How long a sandbox payment takes, in milliseconds. */
  readonly paymentTakesMs?: number
  /** The initial balance of a new sandbox's outside wallet. */
  readonly outsideHolds?: Msats
}

export interface StartedService extends Service {
  /** Pays an invoice or a code from the sandbox's outside wallet; undefined if the sandbox is not in this process. */
  readonly payTestSats: ((request: string) => Promise<unknown>) | undefined
}

/**
 * Starts the bundled payments service with its Lightning backend. Closing the service also closes the backend. Throws
 * DatabaseProblem, NodeMismatch or HttpPortTaken.
 */
export async function startService(start: ServiceStart): Promise<StartedService> {
  const { config, clock, entropy, logger } = start
  const settings = {
    ...serviceSettings(config.service),
    ratesUrl: config.ratesUrl,
    ratesCurrency: config.ratesCurrency ?? DEFAULT_SETTINGS.ratesCurrency,
  }
  warnOfUnnamedProxy({ variable: 'SERVICE_PUBLIC_URL', url: config.service.publicUrl }, config.service, logger)
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
      // Commands that start a service on a file hold its lock.
      alone: isFile(config.service.databaseUrl),
      comparesClocks: clock === systemClock,
      lastOwner: start.lastOwner,
      ...(start.standstill !== undefined && { standstill: start.standstill }),
      checkBook: start.checkBook,
      ...(start.onAlert !== undefined && { onAlert: start.onAlert }),
      ...(start.isOwnCallback !== undefined && { isOwnCallback: start.isOwnCallback }),
      ...(start.ownProject !== undefined && { ownProject: start.ownProject }),
      ...(start.heldAtBot !== undefined && { heldAtBot: start.heldAtBot }),
      ...(start.addRoutes !== undefined && { addRoutes: start.addRoutes }),
      port: config.service.port,
      host: config.host,
      ...(config.instance !== undefined && { instance: config.instance.name, drainMs: config.instance.drainMs }),
    })
    lightning.serveAt(service.url, service.parts.publicUrl)
    const close = async () => {
      await service.close()
      await lightning.close()
    }
    const outside = lightning.sandbox?.network.outside
    return { ...service, payTestSats: outside && ((request) => outside.pay(request)), close }
  } catch (error) {
    await lightning.close()
    throw error
  }
}

/**
 * Returns where the processes that use the service's book note their ids; undefined if the book is a file. Call it
 * while the data folder is locked.
 */
export function lastOwnerOfService(
  { service, dataFolder }: Pick<Config, 'service' | 'dataFolder'>,
  { logger }: Pick<Runtime, 'logger'>,
) {
  return lastOwnerOn(service.databaseUrl, dataFolder, 'service', logger)
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
    usersPerProject: config.usersPerProject,
    transferGroups: config.transferGroups,
    callbackSourceIps: config.callbackSourceIps,
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
