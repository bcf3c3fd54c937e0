import { isIP } from 'node:net'
import { z } from 'zod'
import { MAX_MSATS, type Msats } from '../lib/money/amount.ts'

/**
 * The fields of request bodies, queries and paths. The service reads them strictly. Each error message completes the
 * sentence "`field` …". Amounts become `Msats`, times `Date`, and a query's limit a number; other values stay as sent.
 */

/** The largest `expiresIn`: 30 days, in seconds. */
export const MAX_EXPIRES_IN_SECONDS = 2_592_000
/** The default of `allowedSlots`, and its largest value. */
export const UNLIMITED_SLOTS = 2_147_483_647
/** An example invoice: the first one in the BOLT11 specification, a donation of any amount, long expired. */
export const EXAMPLE_INVOICE =
  'lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql'
/** The maximum length of the description in a BOLT11 invoice, in bytes of UTF-8. */
export const MAX_DESCRIPTION_BYTES = 639
export const MAX_SUCCESS_MESSAGE_CHARACTERS = 144
/** The smallest amount of a Lightning payment: one satoshi. */
const LIGHTNING_MINIMUM = 1_000n as Msats
const MAX_METADATA_CHARACTERS = 8_192
const MAX_TLV_RECORDS = 64
/** The type of the TLV record with a keysend’s preimage (bLIP-3). Requests must not contain this record. */
const KEYSEND_PREIMAGE_TYPE = 5_482_373_484

const digits =
  'must be millisatoshis as a string of 1 to 19 digits that begins with 1 to 9, such as "1000", without sign or point'

function amountOfAtLeast(minimum: bigint, description: string) {
  return z
    .string({ error: digits })
    .regex(/^[1-9][0-9]{0,18}$/, { error: digits })
    .meta({ examples: ['21000'] })
    .transform((text, context): Msats => {
      const amount = BigInt(text)
      if (amount >= minimum && amount <= MAX_MSATS) return amount as Msats
      const low = amount < minimum
      context.addIssue({
        code: 'custom',
        message: low ? `must be at least ${minimum} msats` : `must be at most ${MAX_MSATS} msats, which is all bitcoin`,
        params: { refusal: low ? 'amount_too_low' : 'amount_too_high' },
      })
      return z.NEVER
    })
    .describe(`${description} In msats${minimum > 1n ? `, at least ${minimum}` : ''}.`)
}

/** An amount that stays inside the books: 1 msat or more. */
export const amount = (description: string) => amountOfAtLeast(1n, description)
/** An amount for Lightning: 1,000 msats (1 satoshi) or more. */
export const lightningAmount = (description: string) => amountOfAtLeast(LIGHTNING_MINIMUM, description)

function plainText(most: number, unit: 'bytes' | 'characters') {
  const measure = unit === 'bytes' ? (text: string) => Buffer.byteLength(text) : (text: string) => text.length
  return z
    .string({ error: 'must be a string' })
    .refine((text) => !text.includes('\0') && text.isWellFormed(), { error: 'must be text without NUL characters' })
    .refine((text) => text.length * 3 <= most || measure(text) <= most, {
      error: `must be at most ${most} ${unit} long`,
    })
    .meta({ maxLength: most })
}

/** A text that people see. It may end up in a BOLT11 invoice. */
export const description = (meaning: string) =>
  plainText(MAX_DESCRIPTION_BYTES, 'bytes')
    .describe(meaning)
    .meta({ examples: ['Thanks for the help'] })

export const successMessage = plainText(MAX_SUCCESS_MESSAGE_CHARACTERS, 'characters').describe(
  'Shown to the payer after the payment has settled. At most 144 characters.',
)

export const internalId = plainText(1_000, 'characters').describe("The caller's own metadata, echoed unchanged.")

export const invoice = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21-\x7e]{1,7089}$/, { error: 'must be a Lightning invoice: one word, without spaces' })
  .meta({ examples: [EXAMPLE_INVOICE] })

export const offer = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21-\x7e\u20bf]{1,7089}$/, {
    error: 'must be an offer (lno1…) or a Bitcoin name (₿name@domain), in one word',
  })
  .describe('The offer (`lno1…`), or the Bitcoin name with its sign (`₿name@domain`).')
  .meta({ examples: ['₿bob@example.com'] })

export const callbackUrl = z
  .string({ error: 'must be a string' })
  .max(2_048, { error: 'must be at most 2048 characters long' })
  .refine((url) => !/[\p{C}\s]/u.test(url), { error: 'must be a URL without spaces and control characters' })
  .refine((url) => url === '' || isWebAddress(url), {
    error: 'must be an http or https URL, such as "https://example.com/callback"',
  })
  .describe('The https address on the public Internet to which updates are POSTed. Empty if there is none.')
  .meta({ examples: ['https://example.com/callback'] })

export const gamertag = z
  .string({ error: 'must be a string' })
  .regex(/^[A-Za-z0-9_-]{3,30}$/, { error: 'must be a gamertag: 3 to 30 letters, digits, underscores or hyphens' })
  .describe('Compared without regard to case. Mutable: never a stable identifier.')
  .meta({ examples: ['satoshi'] })

export const identifier = z
  .string({ error: 'must be a string' })
  .regex(/^[a-z0-9._-]{3,64}$/, { error: 'must be 3 to 64 lower-case letters, digits, dots, underscores or hyphens' })
  .describe('Makes `identifier@host` a Lightning Address (LUD-16).')
  .meta({ examples: ['donations'] })

export const expiresIn = wholeNumber(1, MAX_EXPIRES_IN_SECONDS, 'Seconds until expiry.')

export const allowedSlots = (least: 0 | 1) =>
  wholeNumber(
    least,
    UNLIMITED_SLOTS,
    'The number of payments after which the Static Charge is disabled. Unlimited if omitted.',
  )

export const voucherCode = z
  .string({ error: 'must be a string' })
  .regex(/^[A-Za-z0-9]{8}$/, { error: 'must be a voucher code of 8 letters and digits' })
  .describe('The 8-character code of the voucher; case does not matter.')
  .meta({ examples: ['K7WQ2MHX'] })

export const publicKey = z
  .string({ error: 'must be a string' })
  .regex(/^0[23][0-9A-Fa-f]{64}$/, { error: 'must be a node public key: 66 hex digits, beginning with 02 or 03' })
  .describe('Public key of the destination node, hex.')
  .meta({ examples: ['03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad'] })

export const lightningAddressText = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21-\x7e]{3,320}$/, { error: 'must be a Lightning Address, such as "name@example.com"' })
  .describe('The Lightning Address, `name@host`.')
  .meta({ examples: ['name@example.com'] })

export const walletId = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21-\x7e]{1,64}$/, { error: 'must be the id of a project, whose wallet it names' })
  .describe('The id of the project whose wallet receives the sats.')
  .meta({ examples: ['3f0c1d9e-8a41-4f7b-9c2d-77be0c2d0a15'] })

/** A project's own id for a person. */
export const reference = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
  .describe('The identifier that the project has for the person, which never changes.')
  .meta({ examples: ['member-4711'] })

/** A code from the wallet page. Hyphens and case do not matter. */
export const linkCode = z
  .string({ error: 'must be a string' })
  .regex(/^[0-9A-Za-z-]{1,40}$/, { error: 'must be a code of letters, digits and hyphens' })
  .describe('The code that the wallet page shows the user, to prove a gamertag.')
  .meta({ examples: ['7KQM-2XPD-04TZ'] })

/** An immutable user id. */
export const userId = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21-\x7e]{1,64}$/, { error: 'must be a user id' })
  .describe('The immutable id of a user.')

export const metadata = z
  .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
  .refine((value) => lengthAsJson(value) <= MAX_METADATA_CHARACTERS, {
    error: `must be at most ${MAX_METADATA_CHARACTERS} characters of JSON`,
  })
  .describe('Any JSON object, which the callback returns.')

/** Returns the length of a value's JSON; infinity for a value that is nested too deeply to be converted. */
function lengthAsJson(value: unknown): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const tlvRecord = z.strictObject(
  {
    type: wholeNumber(
      65_536,
      Number.MAX_SAFE_INTEGER,
      'Type of the TLV record; custom records begin at 65536. 5482373484 is taken: it carries the preimage.',
    ).refine((type) => type !== KEYSEND_PREIMAGE_TYPE, {
      error: `must not be ${KEYSEND_PREIMAGE_TYPE}, which carries the preimage of the payment`,
    }),
    value: z
      .string({ error: 'must be a string' })
      .regex(/^(?:[0-9A-Fa-f]{2}){0,1000}$/, { error: 'must be at most 1000 bytes in hex' })
      .describe('Value of the TLV record, hex.'),
  },
  { error: 'must be an object with type and value' },
)

export const tlvRecords = z
  .array(tlvRecord, { error: 'must be an array' })
  .max(MAX_TLV_RECORDS, { error: `must have at most ${MAX_TLV_RECORDS} records` })
  .refine((records) => new Set(records.map((record) => record.type)).size === records.length, {
    error: 'must not have two records of one type',
  })
  .describe('Custom records that are sent with the payment, and that the callback returns.')

/** A path parameter that identifies a record. The operation checks whether the record exists. */
export const id = (meaning: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be an id: visible ASCII characters, without spaces' })
    .describe(meaning)

/** A path parameter: the number of a slot, or 0 for the position before the first slot. */
export const slotNumber = (meaning: string) =>
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,9})$/, { error: 'must be a whole number from 0' })
    .describe(meaning)
    .meta({ examples: ['0'] })

/** A query parameter: the position at which the previous page ended. */
export const cursor = z
  .string({ error: 'must be one string' })
  .regex(/^[A-Za-z0-9_-]{1,100}$/, { error: 'must be the `next` of an earlier answer' })
  .describe('The `next` of the previous page; omitted for the first page.')

/** A query parameter: the maximum number of entries in one answer. */
export const limit = (most: number, usual: number) =>
  z
    .string({ error: 'must be one number' })
    .regex(/^[1-9][0-9]{0,5}$/, { error: `must be a whole number from 1 to ${most}` })
    .transform(Number)
    .refine((value) => value <= most, { error: `must be a whole number from 1 to ${most}` })
    .describe(`The maximum number of items in an answer: 1 to ${most}; ${usual} if omitted.`)
    .meta({ examples: [String(usual)] })

const NOT_A_MOMENT = 'must be a day or time in ISO 8601, such as "2030-01-31" or "2030-01-31T18:30:00Z"'

const NOT_A_TIME = 'must be a time in ISO 8601 with its zone, such as "2030-01-31T18:30:00Z"'

/** A body field: a time. The operation checks whether the time is in the future. */
export const timeAhead = (meaning: string) =>
  z
    .string({ error: NOT_A_TIME })
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/, { error: NOT_A_TIME })
    .transform((text) => new Date(text))
    .refine((time) => !Number.isNaN(time.getTime()), { error: NOT_A_TIME })
    .describe(meaning)

/** A query parameter: a time, or a day, which stands for its beginning in UTC. */
export const moment = (meaning: string) =>
  z
    .string({ error: 'must be one time' })
    .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/, { error: NOT_A_MOMENT })
    .transform((text) => new Date(text))
    .refine((time) => !Number.isNaN(time.getTime()), { error: NOT_A_MOMENT })
    .describe(meaning)
    .meta({ examples: ['2030-01-31T18:30:00Z'] })

/**
 * A path parameter with a name that the operation itself checks. Depending on the operation, an unknown or malformed
 * name is "not found" or "not valid".
 */
export const name = (meaning: string) =>
  z
    .string()
    .regex(/^[^\0]{1,512}$/u, { error: 'must be 1 to 512 characters' })
    .describe(meaning)

export const ipAddress = z
  .string()
  .refine((text) => isIP(text) !== 0, { error: 'must be an IPv4 or IPv6 address' })
  .describe('IPv4 or IPv6 address.')
  .meta({ examples: ['203.0.113.7'] })

export function wholeNumber(least: number, most: number, meaning: string) {
  const error = `must be a whole number from ${least} to ${most}`
  return z.int({ error }).min(least, { error }).max(most, { error }).describe(meaning)
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
