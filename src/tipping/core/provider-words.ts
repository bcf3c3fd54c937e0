import { type PaymentsError, refusals } from '../../payments-api/payments-api.ts'

/** Why a payment failed at the node, as the bundled service says it with a payment (`failure.code`). */
const FAILURES = ['no_route', 'timed_out', 'no_liquidity', 'invoice_expired', 'refused_by_payee', 'refused_by_node']

/**
 * What a provider said, as it is stored and handed on: its sentence, after its code in brackets where that is one of the
 * interface's. People read the code's meaning in their own language; the sentence is for operators.
 */
export function providerWords({
  code,
  message,
}: Pick<PaymentsError, 'message'> & { readonly code?: string | undefined | null }): string {
  return typeof code === 'string' && (code in refusals || FAILURES.includes(code)) ? `[${code}] ${message}` : message
}

/** Reads them again. Words of other providers, of operators and of earlier versions have no code. */
export function readProviderWords(words: string): { readonly code: string | undefined; readonly message: string } {
  const [, code, message = words] = /^\[([a-z_]+)\] (.*)$/s.exec(words) ?? []
  return { code, message }
}
