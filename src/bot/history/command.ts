import type {
  Asking,
  Button,
  Call,
  Choice,
  Choosing,
  Command,
  Options,
  Press,
  Typing,
} from '../interactions/command.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { historyCsv } from './csv.ts'
import {
  drawHistory,
  HISTORY_CSV_VERB,
  HISTORY_PAGE_VERB,
  HISTORY_RECEIPT_VERB,
  labelOfBooking,
} from './draw-history.ts'
import { drawReceipt } from './draw-receipt.ts'
import { RECEIPT_VERB } from './receipt-button.ts'

export const history = {
  name: 'history',
  answer: 'private',
  where: 'anywhere',
  options: {},
  run: (call: Call) => showPage(call, 0),
} satisfies Command

export const historyPage = {
  verb: HISTORY_PAGE_VERB,
  names: 'nothing',
  answer: 'update',
  press: (press: Press) => showPage(press, Number(press.record)),
} satisfies Button

async function showPage({ member, tipping, t, asked }: Asking, page: number) {
  if (!Number.isSafeInteger(page)) throw new CommandRefusal('commandRefusals.stale-button')
  return { say: drawHistory(await tipping.history.page(member, page), page, t, asked) }
}

export const historyFile = {
  verb: HISTORY_CSV_VERB,
  names: 'nothing',
  answer: 'private',
  async press({ member, tipping, t, asked }: Press) {
    const lines = await tipping.history.export(member)
    const name = `satchel-${asked.toISOString().slice(0, 10)}.csv`
    const file = { name, text: historyCsv(lines), contentType: 'text/csv', alt: t('history.fileAlt') }
    return { say: { content: t('history.exported', { count: lines.length }), files: [file] } }
  },
} satisfies Button

export const historyReceipt = {
  verb: HISTORY_RECEIPT_VERB,
  names: 'nothing',
  answer: 'private',
  choose: ({ chosen: [operation = ''], ...asking }: Choosing) => showReceipt(asking, operation),
} satisfies Choice

/** Shows the receipt of a member's own payment, below which the button is. The button's record is the operation. */
export const receiptButton = {
  verb: RECEIPT_VERB,
  names: 'own',
  answer: 'private',
  press: ({ record, ...asking }: Press) => showReceipt(asking, record),
} satisfies Button

const options = { payment: { kind: 'text', longest: 100, suggest: suggestOperations } } as const satisfies Options

export const receipt = {
  name: 'receipt',
  answer: 'private',
  where: 'anywhere',
  options,
  async run(call: Call<typeof options>) {
    const { member, tipping, options: chosen } = call
    const operation = chosen.payment ?? (await lastPayment({ member, tipping }))
    if (operation === undefined) return showPage(call, 0)
    return showReceipt(call, operation)
  },
} satisfies Command<typeof options>

/**
 * Returns a member's latest payment. A payment that was returned or never made is chosen only if there is no other,
 * because its receipt shows little.
 */
async function lastPayment({ member, tipping }: Pick<Asking, 'member' | 'tipping'>): Promise<string | undefined> {
  const found = await tipping.history.operations(member)
  const isDone = ({ what, state = 'direct' }: (typeof found)[number]) => what !== 'returned' && state === 'direct'
  return (found.find(isDone) ?? found[0])?.operation
}

async function showReceipt({ member, tipping, t }: Pick<Asking, 'member' | 'tipping' | 't'>, operation: string) {
  return { say: drawReceipt(await tipping.history.receipt({ member, operation }), t) }
}

async function suggestOperations({ member, tipping, t, typed, at }: Typing) {
  const found = await tipping.history.operations(member)
  return found
    .map((line) => ({ name: labelOfBooking(line, t, t.fromNow(line.at, at)), value: line.operation }))
    .filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}
