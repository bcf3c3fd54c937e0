import type { Clock } from '../../lib/clock.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { createPaymentsClient, PaymentsError } from '../../payments-api/payments-api.ts'

export type ProviderCheck = { readonly ok: true; readonly says: string } | { readonly ok: false; readonly why: string }

const ADDRESS_EXAMPLE = 'Example: PAYMENTS_BASE_URL=https://api.example.org'
const KEY_EXAMPLE = 'Example: PAYMENTS_API_KEY=Xb3k…9dQ'

/**
 * Reads the wallet at a provider with this key, which proves that the address and the key are right. Does not throw if
 * they are wrong.
 */
export async function checkProvider(baseUrl: string, apiKey: string, clock: Clock): Promise<ProviderCheck> {
  if (!isAddress(baseUrl)) {
    const what = 'must be an http or https address without a question mark, user name or #'
    return { ok: false, why: `PAYMENTS_BASE_URL ${what}. ${ADDRESS_EXAMPLE}` }
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    const what = apiKey === '' ? 'is missing' : 'must be only the key, without spaces'
    return {
      ok: false,
      why: `PAYMENTS_API_KEY ${what}. Copy the API key of your project from the provider. ${KEY_EXAMPLE}`,
    }
  }
  const client = createPaymentsClient({ baseUrl, apiKey, clock, timeoutMs: 10_000 })
  try {
    const { data } = await client.getWallet()
    return { ok: true, says: `The wallet there holds ${formatSats(data.balance)} sats.` }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.status === 401) {
      const why = `The provider does not know this API key (PAYMENTS_API_KEY). Copy it again. ${KEY_EXAMPLE}`
      return { ok: false, why }
    }
    const advice = `Is the provider's address right (PAYMENTS_BASE_URL)? ${ADDRESS_EXAMPLE}`
    return { ok: false, why: `Your wallet at the provider could not be read: ${error.message} ${advice}` }
  } finally {
    await client.close()
  }
}

/** Whether the configuration accepts this text as the provider's address. */
function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
}
