import { type Msats, msats } from '../../lib/money/amount.ts'

/** The operator's settings of the service, as a plain value, from any source. */
export interface ServiceSettings {
  /** The service's public address, without a trailing slash. Default: the address on which it listens. */
  readonly publicUrl: string | undefined
  /** A payment's maximum fee as a share of the amount. At least 10 sats. */
  readonly feeLimitPercent: number
  /** The source of prices (`RATES_URL`). Undefined: no other currency is shown. */
  readonly ratesUrl: string | undefined
  /** The ISO 4217 currency for values if a reader's own currency has no price. */
  readonly ratesCurrency: string
  /**
   * Operators are alerted if the node can send less than this percentage of the wallets' total; 0: never. A percentage
   * over 100 alerts earlier.
   */
  readonly liquidityAlertPercent: number
  /** How long a released gamertag stays reserved. 0 frees it immediately. */
  readonly gamertagReservedDays: number
  /**
   * The community's own names, which nobody may take, in addition to the usual reserved ones; names that look similar
   * are also refused.
   */
  readonly reservedNames: readonly string[]
  /** The most static charges of one project that may have an identifier at once; 0: unlimited. */
  readonly identifiersPerProject: number
  /** The most users that one project may have opened; 0: unlimited. */
  readonly usersPerProject: number
  /** Groups of one operator's projects, which may transfer sats to each other. Each operator has one list of ids. */
  readonly transferGroups: readonly (readonly string[])[]
  /** The source addresses of callbacks, as projects see them: addresses or networks. */
  readonly callbackSourceIps: readonly string[]
  /** The largest amount of one operation, in msats. */
  readonly maxAmount: Msats
  /** Whether callbacks may go to this machine. Meant for development, or for when everything runs on one machine. */
  readonly callbacksAllowLoopback: boolean
  /** Whether Lightning Addresses may be on this machine. Meant for development. */
  readonly outgoingAllowLoopback: boolean
  /** The proxies whose X-Forwarded-For is believed: none, the nearest, or these addresses. */
  readonly trustProxy: boolean | string
  /**
   * The token for readers of `/metrics`. Undefined: only this machine may read them, and only while it is not public.
   */
  readonly metricsToken: string | undefined
  /** ISO 3166-1 codes of countries where the service is not offered. */
  readonly unsupportedCountries: readonly string[]
  /**
   * Whether callers from unsupported countries are refused: requests with a key (403), the wallet page, and wallets.
   */
  readonly enforceRegions: boolean
  /** A `.mmdb` file of regions. Undefined: the bundled one. */
  readonly regionDatabase: string | undefined
  /** How many requests a second one API key may make on average; 0: unlimited. */
  readonly requestsPerSecond: number
  /**
   * The same limit for one address (for IPv6: its network) at the routes without a key, and for keys that may be
   * guesses.
   */
  readonly publicRequestsPerSecond: number
  /**
   * How many invoices a minute the wallets of one address may have made by LNURL, on average; 0: no limits by address.
   */
  readonly invoicesPerMinute: number
}

/** The default settings. */
export const DEFAULT_SETTINGS: ServiceSettings = {
  publicUrl: undefined,
  feeLimitPercent: 1,
  ratesUrl: undefined,
  ratesCurrency: 'USD',
  liquidityAlertPercent: 100,
  gamertagReservedDays: 30,
  reservedNames: [],
  identifiersPerProject: 10_000,
  usersPerProject: 100_000,
  transferGroups: [],
  callbackSourceIps: [],
  maxAmount: msats(10_000_000_000n),
  callbacksAllowLoopback: false,
  outgoingAllowLoopback: false,
  trustProxy: false,
  metricsToken: undefined,
  unsupportedCountries: [],
  enforceRegions: false,
  regionDatabase: undefined,
  requestsPerSecond: 0,
  publicRequestsPerSecond: 20,
  invoicesPerMinute: 30,
}
