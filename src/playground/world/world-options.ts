import type { Runtime } from '../../assembly/runtime.ts'
import type { LightningConfig } from '../../config/config.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Service } from '../../payments-service/service.ts'
import type { Phone } from '../world.ts'
import type { Databases } from './databases.ts'
import type { Ports } from './ports.ts'

export interface WorldOptions extends Runtime {
  /** Whether the application gets its own emoji. Default: false, so that texts read as they are written. */
  readonly ownEmoji?: boolean
  /** The folder of the world's data: both databases, the Lightning network, and the emulator's servers and messages. */
  readonly folder: string
  /** The preferred ports. If they are not free, other ports are taken and kept. Default: any ports. */
  readonly ports?: Ports
  /** With `none`, the bot holds no sats, and there is no payments service, no network and no phone. */
  readonly custody?: 'balances' | 'none'
  /** How long a sandbox payment takes, in milliseconds. Default: 0. */
  readonly paymentTakesMs?: number
  /** The phone's balance in a new world. */
  readonly phoneHolds?: Msats
  readonly gamertagReservedDays?: number
  /** The URL of Bitcoin's prices in other currencies. */
  readonly ratesUrl?: string
  /**
   * Returns the address at which the bot reaches the service, if something is in between. Callbacks are then not
   * signed.
   */
  readonly providerUrl?: (serviceUrl: string) => string
  /** Whether the server's figures are public. */
  readonly publicApi?: boolean
  /** Discord's limit of requests per second, which a test with many requests raises. */
  readonly discordRequestsPerSecond?: number
  /** Whether Discord sends interactions to the bot by HTTP, so that the bot uses no gateway. */
  readonly interactionsByHttp?: boolean
  /** Whether Discord tells the bot the state of voice channels. */
  readonly voice?: boolean
  /** Whether to give the application a secret and the bot an address, for linked roles. */
  readonly linkedRoles?: boolean
  /** Opens the databases, in place of the function that a world uses by default. */
  readonly openDatabases?: (folder: string) => Promise<Databases>
  /** A real Lightning node in place of the sandbox. */
  readonly realNode?: RealNode
}

/** A Lightning node for the service, and another person's wallet on the same network. */
export interface RealNode {
  readonly lightning: LightningConfig
  readonly phone: Omit<Phone, 'loseCallbacks'>
  /** Fills the bot's wallet before the bot has begun its book. Whatever it then contains is the operator's float. */
  fillFloat(service: Service, apiKey: string): Promise<void>
}
