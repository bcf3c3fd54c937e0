import type { Runtime } from '../../assembly/runtime.ts'
import type { LightningConfig } from '../../config/config.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Service } from '../../payments-service/service.ts'
import type { Phone } from '../world.ts'
import type { Databases } from './databases.ts'
import type { Ports } from './ports.ts'

export interface WorldOptions extends Runtime {
  /** Whether the application gets its own emoji. Default: no, so texts read as written. */
  readonly ownEmoji?: boolean
  /** The folder of everything: both databases, the Lightning network, the emulator's servers and messages. */
  readonly folder: string
  /** Requested ports. If they are not free, others are taken and kept. Default: any. */
  readonly ports?: Ports
  /** `none`: the bot holds no sats, and there is no payments service, no network and no phone. */
  readonly custody?: 'balances' | 'none'
  /** How long a sandbox payment takes, in milliseconds. Default: 0. */
  readonly paymentTakesMs?: number
  /** The phone's balance in a new world. */
  readonly phoneHolds?: Msats
  readonly gamertagReservedDays?: number
  /** A source of prices in other money. */
  readonly ratesUrl?: string
  /** Returns the service's address if something is in between; callbacks are not signed for it then. */
  readonly providerUrl?: (serviceUrl: string) => string
  /** Whether the server's figures are public. */
  readonly publicApi?: boolean
  /** Discord's limit of requests per second, which a test with many requests raises. */
  readonly discordRequestsPerSecond?: number
  /** Whether Discord sends interactions to the bot by HTTP, so the bot has no gateway. */
  readonly interactionsByHttp?: boolean
  /** Whether the bot gets the state of voice channels. */
  readonly voice?: boolean
  /** Whether to give the application a secret and the bot an address, for linked roles. */
  readonly linkedRoles?: boolean
  /** Opens the databases in an unusual way. */
  readonly openDatabases?: (folder: string) => Promise<Databases>
  /** A real Lightning node in place of the sandbox. */
  readonly realNode?: RealNode
}

/** A node of the service, and another person's wallet on the same network. */
export interface RealNode {
  readonly lightning: LightningConfig
  readonly phone: Omit<Phone, 'loseCallbacks'>
  /** Fills the bot's wallet before the bot has begun its book. Everything in it by then is the operator's float. */
  fillFloat(service: Service, apiKey: string): Promise<void>
}
