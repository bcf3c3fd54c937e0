import { randomBytes } from 'node:crypto'
import { bech32 } from '@scure/base'
import type { Network } from '../../src/lib/lightning/bolt11.ts'

/** A field of an offer or of its invoice: type and content. */
export type TlvField = readonly [type: number, content: Uint8Array]

const CHAINS: Partial<Record<Network, string>> = {
  bitcoin: '6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000',
  regtest: '06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f',
}
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** A test offer's fields; without a network, the offer is for mainnet. */
export interface OfferDraft {
  readonly network?: Network
  readonly amount?: bigint | undefined
  readonly currency?: string
  readonly description?: string
  readonly issuer?: string | undefined
  /** Seconds since 1970. */
  readonly expiresAt?: number
  readonly quantity?: boolean
}

export interface OfferInvoiceDraft {
  readonly network: Network
  readonly amount: bigint
  readonly paymentHash: string
  /** Seconds since 1970. */
  readonly createdAt: number
  readonly expiresInSeconds?: number
  readonly description?: string
  /** The payer's note, which the invoice repeats. */
  readonly note?: string | undefined
}

export function makeOffer(draft: OfferDraft = {}): string {
  const { network = 'regtest', amount, currency, description = 'a test', issuer, expiresAt, quantity = false } = draft
  return bolt12Text('lno', [
    ...(network === 'bitcoin' ? [] : [[2, chainOf(network)] as const]),
    ...(currency === undefined ? [] : [[6, Buffer.from(currency)] as const]),
    ...(amount === undefined ? [] : [[8, tu64(amount)] as const]),
    [10, Buffer.from(description)],
    ...(expiresAt === undefined ? [] : [[14, tu64(BigInt(expiresAt))] as const]),
    ...(issuer === undefined ? [] : [[18, Buffer.from(issuer)] as const]),
    ...(quantity ? [[20, tu64(0n)] as const] : []),
    [22, randomBytes(33)],
  ])
}

export function makeOfferInvoice(draft: OfferInvoiceDraft): string {
  return bolt12Text('lni', offerInvoiceFields(draft))
}

export function offerInvoiceFields(draft: OfferInvoiceDraft): readonly TlvField[] {
  const { network, amount, paymentHash, createdAt, expiresInSeconds, description = 'a test', note } = draft
  return [
    [10, Buffer.from(description)],
    ...(network === 'bitcoin' ? [] : [[80, chainOf(network)] as const]),
    ...(note === undefined ? [] : [[89, Buffer.from(note)] as const]),
    [164, tu64(BigInt(createdAt))],
    ...(expiresInSeconds === undefined ? [] : [[166, tu64(BigInt(expiresInSeconds))] as const]),
    [168, Buffer.from(paymentHash, 'hex')],
    [170, tu64(amount)],
    [176, randomBytes(33)],
    [240, randomBytes(64)],
  ]
}

/** Encodes any fields as BOLT 12 prescribes. */
export function bolt12Text(prefix: string, fields: readonly TlvField[]): string {
  const bytes = fields.flatMap(([type, content]) => [...bigSize(type), ...bigSize(content.length), ...content])
  return `${prefix}1${bech32
    .toWords(Uint8Array.from(bytes))
    .map((word) => ALPHABET[word])
    .join('')}`
}

function chainOf(network: Network): Uint8Array {
  const chain = CHAINS[network]
  if (chain === undefined) throw new Error(`no test uses offers on ${network}`)
  return Buffer.from(chain, 'hex')
}

function bigSize(value: number): number[] {
  return value < 0xfd ? [value] : [0xfd, value >> 8, value & 0xff]
}

export function tu64(value: bigint): Uint8Array {
  const digits = value.toString(16)
  return value === 0n ? new Uint8Array() : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}
