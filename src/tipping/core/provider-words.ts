import type { Msats } from '../../lib/money/amount.ts'
import { type PaymentsError, refusals } from '../../payments-api/payments-api.ts'

/** The reasons for a payment's failure at the node, as the bundled service reports them (`failure.code`). */
const FAILURES = ['no_route', 'timed_out', 'no_liquidity', 'invoice_expired', 'refused_by_payee', 'refused_by_node']

type Said = Pick<PaymentsError, 'message'> & {
  readonly code?: string | undefined | null
  readonly limit?: bigint | undefined
}

/**
 * Formats a provider's words for storage: the provider's sentence, preceded, in brackets, by the interface's code, if
 * there is one, and by the limit in msats that the provider stated. People read the code's meaning in their own
 * language; the sentence is for operators.
 */
export function providerWords({ code, message, limit }: Said): string {
  if (typeof code !== 'string' || !(code in refusals || FAILURES.includes(code))) return message
  return limit === undefined ? `[${code}] ${message}` : `[${code} ${limit}] ${message}`
}

/** Parses stored words. Words of other providers, of operators and of earlier versions have no code. */
export function readProviderWords(words: string): {
  readonly code: string | undefined
  readonly limit: Msats | undefined
  readonly message: string
} {
  const [, code, limit, message = words] = /^\[([a-z_]+)(?: ([0-9]{1,19}))?\] (.*)$/s.exec(words) ?? []
  return { code, limit: limit === undefined ? undefined : (BigInt(limit) as Msats), message }
}
