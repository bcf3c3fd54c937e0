import { bech32 } from '@scure/base'

/** A field of an offer or of its invoice: its type and its value (BOLT 12). */
export type Field = readonly [type: number, content: Uint8Array]

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** The hash of regtest's first block, as BOLT 12 writes it. */
export const REGTEST = Buffer.from('06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f', 'hex')

/** Returns an offer (`lno`) or an invoice (`lni`) with these fields, in the order of their types. */
export function bolt12Text(prefix: 'lno' | 'lni', fields: readonly Field[]): string {
  const bytes = fields.flatMap(([type, content]) => [...sized(type), ...sized(content.length), ...content])
  const words = bech32.toWords(Uint8Array.from(bytes))
  return `${prefix}1${words.map((word) => LETTERS[word]).join('')}`
}

/** Encodes a number without leading zeros (`tu64`, BOLT 1). */
export function shortInteger(value: bigint): Uint8Array {
  const digits = value.toString(16)
  return value === 0n ? new Uint8Array() : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}

/** Encodes a number below 65,536 as a `BigSize` (BOLT 1). */
function sized(value: number): number[] {
  return value < 0xfd ? [value] : [0xfd, value >> 8, value & 0xff]
}
