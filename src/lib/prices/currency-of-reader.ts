/** Each country's currency, by ISO 3166-1 code. Other countries get no guess. */
const REGIONS: Readonly<Record<string, string>> = {
  ...{ AE: 'AED', AR: 'ARS', AU: 'AUD', BR: 'BRL', CA: 'CAD', CH: 'CHF', CL: 'CLP', CN: 'CNY', CO: 'COP', CZ: 'CZK' },
  ...{ DK: 'DKK', GB: 'GBP', HK: 'HKD', HU: 'HUF', ID: 'IDR', IL: 'ILS', IN: 'INR', JP: 'JPY', KE: 'KES', KR: 'KRW' },
  ...{ MX: 'MXN', MY: 'MYR', NG: 'NGN', NO: 'NOK', NZ: 'NZD', PH: 'PHP', PK: 'PKR', PL: 'PLN', RO: 'RON', RU: 'RUB' },
  ...{ SA: 'SAR', SE: 'SEK', SG: 'SGD', TH: 'THB', TR: 'TRY', TW: 'TWD', UA: 'UAH', US: 'USD', VN: 'VND', ZA: 'ZAR' },
}
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** The most languages that are read; nobody lists more. */
const MAX_LISTED = 20

/**
 * Guesses a reader's currency from the first language in an Accept-Language header: `de-CH` is CHF; `de`, without a
 * region, gives the currency of most speakers. Undefined if nothing is known.
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
