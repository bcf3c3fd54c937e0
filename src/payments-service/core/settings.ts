import { type Msats, msats } from '../../lib/money/amount.ts'

/** The operator's settings of the service: a plain value, whatever it was read from. */
export interface ServiceSettings {
  /** The public address of the service, without a slash at the end. Default: the address it listens on. */
  readonly publicUrl: string | undefined
  /** A payment's maximum fee: this share of the amount, at least 10 sats. */
  readonly feeLimitPercent: number
  /** Source of prices (`RATES_URL`); undefined: shows no other money. */
  readonly ratesUrl: string | undefined
  /** ISO 4217: what values are shown in, where a reader's own currency has no price. */
  readonly ratesCurrency: string
  /**
   * Operators get an alert when the node can send less than this share of what wallets hold, in percent; 0: never. More
   * than 100 tells sooner.
   */
  readonly liquidityAlertPercent: number
  /** How long a released gamertag stays reserved; 0 frees it at once. */
  readonly gamertagReservedDays: number
  /** Names that nobody may take, with all look-alikes, besides the usual ones: the community's own. */
  readonly reservedNames: readonly string[]
  /** How many static charges of one project may have an identifier at once; 0: unlimited. */
  readonly identifiersPerProject: number
  /** How many users one project may have opened; 0: unlimited. */
  readonly usersPerProject: number
  /** Projects of one operator, which may transfer sats to each other: a list for each operator, of ids. */
  readonly transferGroups: readonly (readonly string[])[]
  /** Source addresses of callbacks, as projects see them: addresses or networks. */
  readonly callbackSourceIps: readonly string[]
  /** The largest amount of one operation, in msats. */
  readonly maxAmount: Msats
  /** Callbacks may go to this machine (development, single-machine use). */
  readonly callbacksAllowLoopback: boolean
  /** Lightning Addresses may be on this machine (development). */
  readonly outgoingAllowLoopback: boolean
  /** Proxies whose X-Forwarded-For is believed: none, the nearest, or these addresses. */
  readonly trustProxy: boolean | string
  /** The token for readers of `/metrics`; undefined: only this machine reads them, and only while it is not public. */
  readonly metricsToken: string | undefined
  /** ISO 3166-1 codes of countries where the service is not offered. */
  readonly unsupportedCountries: readonly string[]
  /** Whether callers from unsupported countries are refused: with a key (403), on the wallet page, and wallets. */
  readonly enforceRegions: boolean
  /** A `.mmdb` file to look regions up in; undefined: the bundled one. */
  readonly regionDatabase: string | undefined
  /** Requests a second that one API key may make on average; 0: unlimited. */
  readonly requestsPerSecond: number
  /**
   * The same for one address (of IPv6: its network) at the routes that need no key, and for keys that may be guesses.
   */
  readonly publicRequestsPerSecond: number
  /** Invoices a minute that wallets of one address may have made by LNURL, on average; 0: no limits by address. */
  readonly invoicesPerMinute: number
}

/** Default settings. */
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
