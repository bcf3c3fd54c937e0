/**
 * The currencies of countries outside the euro area, by ISO 3166-1 code. For a country that is not listed, none is
 * guessed.
 */
const REGIONS: Readonly<Record<string, string>> = {
  ...{ AE: 'AED', AR: 'ARS', AU: 'AUD', BR: 'BRL', CA: 'CAD', CH: 'CHF', CL: 'CLP', CN: 'CNY', CO: 'COP', CZ: 'CZK' },
  ...{ DK: 'DKK', GB: 'GBP', HK: 'HKD', HU: 'HUF', ID: 'IDR', IL: 'ILS', IN: 'INR', JP: 'JPY', KE: 'KES', KR: 'KRW' },
  ...{ MX: 'MXN', MY: 'MYR', NG: 'NGN', NO: 'NOK', NZ: 'NZD', PH: 'PHP', PK: 'PKR', PL: 'PLN', RO: 'RON', RU: 'RUB' },
  ...{ SA: 'SAR', SE: 'SEK', SG: 'SGD', TH: 'THB', TR: 'TRY', TW: 'TWD', UA: 'UAH', US: 'USD', VN: 'VND', ZA: 'ZAR' },
}
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** The most languages of a header that are read; nobody lists more. */
const MAX_LISTED = 20

/**
 * Guesses a reader's currency from the first language in an Accept-Language header: `de-CH` is CHF; `de`, without a
 * region, results in the currency of most speakers. Returns undefined if no currency is known for the region.
 */
export function currencyOfReader(acceptLanguage: string): string | undefined {
  for (const item of acceptLanguage.split(',', MAX_LISTED)) {
    const region = regionOf(item.split(';')[0]?.trim() ?? '')
    if (region !== undefined) return EURO.includes(region) ? 'EUR' : REGIONS[region]
  }
  return undefined
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().region
  } catch {
    return undefined
  }
}
