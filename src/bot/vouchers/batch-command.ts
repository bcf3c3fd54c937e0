import { csvOf, plainSats } from '../../lib/csv.ts'
import {
  type BatchCode,
  MAX_BATCH,
  MAX_BATCH_DAYS,
  type Tipping,
  type VoucherBatchView,
} from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Call, Command, Options, Press } from '../interactions/command.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { FROM_POOL, poolToPay } from '../spending/from-pool.ts'
import {
  BATCH_CSV_VERB,
  BATCH_END_SURE_VERB,
  BATCH_END_VERB,
  BATCH_KEEP_VERB,
  BATCH_PRINT_VERB,
  drawBatchEnd,
  mayEnd,
} from './batch-card.ts'
import { cardHere } from './card-here.ts'
import { printSheet } from './print-sheet.ts'

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  count: { kind: 'whole', required: true, smallest: 1, largest: MAX_BATCH },
  days: { kind: 'whole', smallest: 1, largest: MAX_BATCH_DAYS },
  description: { kind: 'text', longest: 200 },
  ...FROM_POOL,
} as const satisfies Options

/** Makes many codes at once, paid for together. */
export const voucherBatch = {
  name: 'voucher batch',
  answer: 'private',
  where: 'anywhere',
  options,
  async run({ member, guild, caller, origin, options: given, tipping, t }: Call<typeof options>) {
    const { amount, count, days, description } = given
    const pool = await poolToPay({ guild, caller }, given)
    const command = { member, amount, count, days, description, accountSince: caller.accountSince, origin }
    if (pool === undefined) return { card: (await tipping.voucherBatches.create(command)).card }
    const made = await tipping.voucherBatches.createFromPool({ ...command, pool })
    // The question to a second moderator is public, but this answer is not.
    return 'reward' in made ? { say: { content: t('reward.asked') } } : { card: made.card }
  },
} satisfies Command<typeof options>

/** Sends a CSV file of all codes with their states. */
export const batchCsv = {
  verb: BATCH_CSV_VERB,
  names: 'own',
  answer: 'private',
  press: codesAsFile({ what: 'csv', ending: 'csv', contentType: 'text/csv' }, (codes, { expiresAt }) =>
    codesCsv(codes, expiresAt),
  ),
} satisfies Button

/** Sends a PDF of the remaining codes, to be printed and cut. */
export const batchPrint = {
  verb: BATCH_PRINT_VERB,
  names: 'own',
  answer: 'private',
  press: codesAsFile(
    { what: 'print', ending: 'pdf', contentType: 'application/pdf' },
    (codes, batch, t, { testMoney }) => {
      if (!codes.some(({ code }) => code !== undefined)) throw new CommandRefusal('commandRefusals.no-codes-left')
      return printSheet(codes, { ...batch, testMoney }, t)
    },
  ),
} satisfies Button

interface CodesFile {
  readonly what: 'csv' | 'print'
  readonly ending: string
  readonly contentType: string
}

/** Sends a member the codes of their own batch in a file. */
function codesAsFile(
  { what, ending, contentType }: CodesFile,
  write: (
    codes: readonly BatchCode[],
    batch: VoucherBatchView,
    t: Translator,
    tipping: Pick<Tipping, 'testMoney'>,
  ) => string | Promise<string>,
) {
  return async ({ record: batch, member, tipping, t }: Press) => {
    const codes = await tipping.voucherBatches.codes({ member, batch })
    const text = await write(codes, await tipping.voucherBatches.view(batch), t, tipping)
    const file = { name: `vouchers-${batch.slice(0, 8)}.${ending}`, text, contentType, alt: t(`batch.${what}Alt`) }
    return { say: { content: t(`batch.${what}`), files: [file] } }
  }
}

/** Asks whether to take back a batch's unredeemed codes. If there are none any more, shows the batch's card. */
export const batchEnd = {
  verb: BATCH_END_VERB,
  names: 'own',
  answer: 'update',
  async press({ record, member, origin, tipping, t }: Press) {
    const batch = await tipping.voucherBatches.own({ member, batch: record })
    return mayEnd(batch) ? { say: drawBatchEnd(batch, t) } : await cardHere(batch, { origin, tipping })
  },
} satisfies Button

/** Takes back a batch's unredeemed codes. The question becomes the batch's card, which shows how the codes end. */
export const batchEndSure = {
  verb: BATCH_END_SURE_VERB,
  names: 'own',
  answer: 'update',
  async press({ record: batch, member, origin, tipping }: Press) {
    return await cardHere(await tipping.voucherBatches.end({ member, batch }), { origin, tipping })
  },
} satisfies Button

/** Leaves the codes as they are, and replaces the question with the batch's card. */
export const batchKeep = {
  verb: BATCH_KEEP_VERB,
  names: 'own',
  answer: 'update',
  async press({ record: batch, member, origin, tipping }: Press) {
    return await cardHere(await tipping.voucherBatches.own({ member, batch }), { origin, tipping })
  },
} satisfies Button

const COLUMNS = ['number', 'code', 'sats', 'state', 'expires', 'lnurl'] as const

/**
 * Formats codes as CSV, with times in ISO 8601. The text is only ASCII, so it needs no byte-order mark. A code is shown
 * until it ends.
 */
export function codesCsv(codes: readonly BatchCode[], expiresAt: Date | undefined): string {
  const expires = expiresAt?.toISOString() ?? ''
  const rows = codes.map(({ number, code = '', amount, state, anyWallet }) => [
    ...[String(number), asText(code), plainSats(amount), state, expires],
    anyWallet?.request ?? '',
  ])
  return csvOf(COLUMNS, rows, { bom: false })
}

/**
 * Adds an apostrophe to a code such as 23E45678, which a spreadsheet would otherwise read as a number. The code with
 * the apostrophe is also accepted by `/voucher redeem`.
 */
function asText(code: string): string {
  return /^\d+(E\d+)?$/i.test(code) ? `'${code}` : code
}
