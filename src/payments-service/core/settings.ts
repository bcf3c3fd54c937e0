import { type Msats, msats } from '../../lib/money/amount.ts'

/** The operator's settings of the service, as a plain value, from any source. */
export interface ServiceSettings {
  /** The service's public address, without a trailing slash. Default: the address on which the service listens. */
  readonly publicUrl: string | undefined
  /** A payment's maximum fee as a percentage of the amount, but at least 10 sats. */
  readonly feeLimitPercent: number
  /** The source of prices (`RATES_URL`). If it is undefined, no other currency is shown. */
  readonly ratesUrl: string | undefined
  /** The ISO 4217 code of the currency in which values are shown if a reader's own currency has no price. */
  readonly ratesCurrency: string
  /**
   * The percentage of the wallets' total below which the node's sendable sum alerts operators; 0: no alerts. A
   * percentage over 100 alerts operators earlier.
   */
  readonly liquidityAlertPercent: number
  /** How long, in days, a released gamertag stays reserved; 0 frees it immediately. */
  readonly gamertagReservedDays: number
  /**
   * The community's own names, which nobody may take, in addition to the usual reserved ones; names that look similar
   * are also refused.
   */
  readonly reservedNames: readonly string[]
  /** The maximum number of one project's static charges that may have an identifier at once; 0: unlimited. */
  readonly identifiersPerProject: number
  /** The maximum number of users that one project may have opened; 0: unlimited. */
  readonly usersPerProject: number
  /**
   * Groups of projects that may transfer sats to each other. Each group is the list of the ids of one operator's
   * projects.
   */
  readonly transferGroups: readonly (readonly string[])[]
  /** The source addresses of callbacks, as projects see them: addresses or networks. */
  readonly callbackSourceIps: readonly string[]
  /** The largest amount of one operation, in msats. */
  readonly maxAmount: Msats
  /** Whether callbacks may go to this machine. Meant for development, or for when everything runs on one machine. */
  readonly callbacksAllowLoopback: boolean
  /** Whether Lightning Addresses may be on this machine. Meant for development. */
  readonly outgoingAllowLoopback: boolean
  /** The proxies whose X-Forwarded-For is believed: none (false), the nearest (true), or these addresses. */
  readonly trustProxy: boolean | string
  /**
   * The token for readers of `/metrics`. If it is undefined, only this machine may read the metrics, and only while the
   * service is not public.
   */
  readonly metricsToken: string | undefined
  /** The ISO 3166-1 codes of the countries where the service is not offered. */
  readonly unsupportedCountries: readonly string[]
  /**
   * Whether callers from unsupported countries are refused: requests with a key (403), the wallet page, and wallets.
   */
  readonly enforceRegions: boolean
  /** A `.mmdb` file of regions; undefined for the bundled file. */
  readonly regionDatabase: string | undefined
  /** The average number of requests per second that one API key may make; 0: unlimited. */
  readonly requestsPerSecond: number
  /**
   * The average number of requests per second that one address (for IPv6: its network) may make at the routes without a
   * key, and with keys that may be guesses.
   */
  readonly publicRequestsPerSecond: number
  /**
   * The average number of invoices per minute that wallets at one address may request by LNURL; 0: no limits by
   * address.
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
