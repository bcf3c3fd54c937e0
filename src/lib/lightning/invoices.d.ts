/** The part of the `invoices` package that `bolt11.ts` uses. The package itself has no types. */
declare module 'invoices' {
  export interface ParsedRequest {
    readonly network: string
    readonly id?: string
    readonly payment?: string
    readonly destination: string
    readonly description?: string
    readonly description_hash?: string
    readonly mtokens: string
    readonly cltv_delta: number
    readonly metadata?: string
    readonly features: readonly { readonly bit: number }[]
  }

  export interface UnsignedRequest {
    readonly hash: string
    readonly hrp: string
    readonly tags: readonly number[]
  }

  /** Parses an invoice. Throws an Error whose message is a code such as `UnknownCurrencyCodeInPaymentRequest`. */
  export function parsePaymentRequest(args: { readonly request: string }): ParsedRequest

  export function createUnsignedRequest(args: {
    readonly network: string
    readonly id: string
    readonly payment: string
    readonly description?: string
    readonly description_hash?: string
    readonly mtokens?: string
    readonly created_at: string
    readonly expires_at: string
    readonly cltv_delta?: number
    readonly features: readonly { readonly bit: number }[]
    readonly metadata?: string
  }): UnsignedRequest
}
