import { formatSats } from '../../lib/amount.ts'
import type { Clock } from '../../lib/clock.ts'
import { createPaymentsClient, PaymentsError } from '../../payments-api/payments-api.ts'

export type ProviderCheck = { readonly ok: true; readonly says: string } | { readonly ok: false; readonly why: string }

/** Reads the wallet with this key, which shows that address and key are right. Never throws. */
export async function checkProvider(baseUrl: string, apiKey: string, clock: Clock): Promise<ProviderCheck> {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    return { ok: false, why: 'PAYMENTS_BASE_URL must be an http or https address. Example: https://api.example.org' }
  }
  if (apiKey === '') return { ok: false, why: 'PAYMENTS_API_KEY is missing: the API key of your project there.' }
  const client = createPaymentsClient({ baseUrl, apiKey, clock, timeoutMs: 10_000 })
  try {
    const { data } = await client.getWallet()
    return { ok: true, says: `The wallet there holds ${formatSats(data.balance)} sats.` }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.status === 401)
      return { ok: false, why: 'The provider does not know this API key (PAYMENTS_API_KEY). Copy it again.' }
    return { ok: false, why: `The provider could not be asked: ${error.message}` }
  } finally {
    await client.close()
  }
}
