import { type BatchCode, MAX_BATCH, MAX_BATCH_DAYS } from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Button, Call, Command, Options, Press } from '../discord/command.ts'
import { CommandRefusal } from '../discord/command-refusal.ts'
import { csvOf, plainSats } from '../files/csv.ts'
import { FROM_POOL, poolToPay } from '../spending/from-pool.ts'
import { drawBatch } from './batch-card.ts'
import { BATCH_CSV_VERB, BATCH_END_VERB, BATCH_PRINT_VERB } from './batch-verbs.ts'
import { printSheet } from './print-sheet.ts'

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  count: { kind: 'whole', required: true, smallest: 1, largest: MAX_BATCH },
  days: { kind: 'whole', smallest: 1, largest: MAX_BATCH_DAYS },
  description: { kind: 'text', longest: 200 },
  ...FROM_POOL,
} as const satisfies Options

/** Many codes at once, paid for in one go. */
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
    // The question to a second moderator is for all to see; this answer is not.
    return 'reward' in made ? { say: { content: t('reward.asked') } } : { card: made.card }
  },
} satisfies Command<typeof options>

/** All codes, with how each stands. */
export const batchCsv = {
  verb: BATCH_CSV_VERB,
  names: 'own',
  answer: 'private',
  async press({ record: batch, member, tipping, t }: Press) {
    const codes = await tipping.voucherBatches.codes({ member, batch })
    const { expiresAt } = await tipping.voucherBatches.view(batch)
    const name = `vouchers-${batch.slice(0, 8)}.csv`
    const file = { name, text: codesCsv(codes, expiresAt), contentType: 'text/csv', alt: t('batch.csvAlt') }
    return { say: { content: t('batch.csv'), files: [file] } }
  },
} satisfies Button

/** The codes that are left, to be printed and cut. */
export const batchPrint = {
  verb: BATCH_PRINT_VERB,
  names: 'own',
  answer: 'private',
  async press({ record: batch, member, tipping, t }: Press) {
    const codes = await tipping.voucherBatches.codes({ member, batch })
    if (!codes.some(({ code }) => code !== undefined)) throw new CommandRefusal('commandRefusals.no-codes-left')
    const text = await printSheet(codes, await tipping.voucherBatches.view(batch), t)
    const name = `vouchers-${batch.slice(0, 8)}.pdf`
    const file = { name, text, contentType: 'application/pdf', alt: t('batch.printAlt') }
    return { say: { content: t('batch.print'), files: [file] } }
  },
} satisfies Button

/** Takes back what nobody has redeemed. */
export const batchEnd = {
  verb: BATCH_END_VERB,
  names: 'own',
  answer: 'update',
  async press({ record: batch, member, tipping, t }: Press) {
    return { say: drawBatch(await tipping.voucherBatches.end({ member, batch }), t).message }
  },
} satisfies Button

const COLUMNS = ['number', 'code', 'sats', 'state', 'expires', 'lnurl'] as const

/** ASCII alone, so that no byte-order mark is needed; times in ISO 8601. A code is there until it is over. */
export function codesCsv(codes: readonly BatchCode[], expiresAt: Date | undefined): string {
  const expires = expiresAt?.toISOString() ?? ''
  const rows = codes.map(({ number, code = '', amount, state, anyWallet }) => [
    ...[String(number), asText(code), plainSats(amount), state, expires],
    anyWallet?.request ?? '',
  ])
  return csvOf(COLUMNS, rows, { bom: false })
}

/** The apostrophe keeps a spreadsheet from reading 23E45678 as a number. `/voucher redeem` reads a code with it, too. */
function asText(code: string): string {
  return /^\d+(E\d+)?$/i.test(code) ? `'${code}` : code
}
