import { CsvError, parse } from 'csv-parse/sync'
import { InvalidLnurl, parseLightningAddress } from '../../lib/lightning/lnurl.ts'
import { MSATS_PER_SAT, type Msats } from '../../lib/money/amount.ts'
import type { CoreContext, Outside } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { MAX_REWARD_REASON } from '../engine/spending/spending.ts'
import { addressRecipient } from './address-recipients.ts'
import {
  type ListCommand,
  type ListFault,
  MAX_LIST_BYTES,
  MAX_LIST_LINES,
  type StoredLine,
  type WrongLine,
} from './lists.ts'

export interface ListRead {
  readonly lines: readonly StoredLine[]
  /** The file's lines as typed, by their numbers. */
  readonly typed: ReadonlyMap<number, TypedLine>
  readonly wrong: readonly WrongLine[]
  readonly paidBefore: number
}

/** The member who sent the list, the way people are named, and the reason for lines without a reason of their own. */
type Reading = Pick<ListCommand, 'member' | 'memberIn' | 'reason'>

/** The position of each column in a table. */
interface Columns {
  readonly who: number
  readonly amount: number
  readonly reason: number
  readonly outcome: number
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

const DEFAULT_COLUMNS: Columns = { who: 0, amount: 1, reason: 2, outcome: -1 }
/** The headings of columns, in this bot's files and in others. */
const NAMES: Readonly<Record<keyof Columns, readonly string[]>> = {
  who: ['member', 'member_id', 'who', 'id', 'user', 'user_id', 'to', 'address', 'lightning_address'],
  amount: ['sats', 'amount'],
  reason: ['reason', 'note', 'for'],
  outcome: ['outcome'],
}
/** The outcomes after which a line is not paid again. */
const PAID = ['credited', 'sending', 'unknown', 'paid', 'kept', 'parked', 'claimed', 'waiting']

/**
 * Reads a list: CSV with commas, semicolons or tabs, with or without a byte-order mark and headings. Wrong lines do not
 * prevent the others from being read. Throws TippingRefusal `list-too-large`, `list-unreadable`, `list-empty` or
 * `list-too-long`.
 */
export function readList(context: CoreContext, file: Uint8Array, reading: Reading): ListRead {
  const rows = rowsOf(textOf(file))
  const [first] = rows
  const named = first === undefined ? undefined : columnsOf(first.cells)
  const columns = named ?? DEFAULT_COLUMNS
  const body = named === undefined ? rows : rows.slice(1)
  if (body.length === 0) throw new TippingRefusal('list-empty', {})
  if (body.length > MAX_LIST_LINES)
    throw new TippingRefusal('list-too-long', { lines: body.length, most: MAX_LIST_LINES })
  const lines: StoredLine[] = []
  const wrong: WrongLine[] = []
  let paidBefore = 0
  const typedLines = new Map<number, TypedLine>()
  const seen = new Set<string>()
  for (const { line, cells } of body) {
    const cell = (column: keyof Columns) => cells[columns[column]] ?? ''
    if (PAID.includes(cell('outcome').toLowerCase())) {
      paidBefore += 1
      continue
    }
    const typed = { line, who: cell('who'), amount: cell('amount'), reason: cell('reason') }
    typedLines.set(line, typed)
    const read = readLine(context, typed, reading, seen)
    if (typeof read === 'string') wrong.push({ ...typed, fault: read })
    else {
      seen.add(read.recipient)
      lines.push(read)
    }
  }
  return { lines, typed: typedLines, wrong, paidBefore }
}

function textOf(file: Uint8Array): string {
  if (file.length > MAX_LIST_BYTES) throw new TippingRefusal('list-too-large', { most: MAX_LIST_BYTES / 1_024 })
  try {
    // A byte-order mark is not part of the text.
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw new TippingRefusal('list-unreadable', { line: 1 })
  }
}

function rowsOf(text: string): Row[] {
  try {
    const records = parse(text, {
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      // A cell that does not begin with a quote may contain some, as formulas do.
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { readonly record: string[]; readonly info: { readonly lines: number } }[]
    return records.map(({ record: cells, info }) => ({ line: info.lines, cells }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new TippingRefusal('list-unreadable', { line: Number(error.lines ?? 1) })
  }
}

/** Returns the most frequent separator in the first line. */
function delimiterOf(text: string): string {
  const [first = ''] = text.trimStart().split(/\r?\n/, 1)
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }))
  return counted.sort((one, other) => other.count - one.count)[0]?.sign ?? ','
}

/** Returns the positions of the columns; undefined if the first line does not contain headings. */
function columnsOf(cells: readonly string[]): Columns | undefined {
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(' ', '_'))
  const at = (column: keyof Columns) => names.findIndex((name) => NAMES[column].includes(name))
  const [who, amount] = [at('who'), at('amount')]
  return who < 0 || amount < 0 ? undefined : { who, amount, reason: at('reason'), outcome: at('outcome') }
}

export interface TypedLine {
  readonly line: number
  readonly who: string
  readonly amount: string
  readonly reason: string
}

function readLine(
  context: CoreContext,
  typed: TypedLine,
  { member, memberIn, reason }: Reading,
  seen: ReadonlySet<string>,
): StoredLine | ListFault {
  // A spreadsheet's apostrophe marks a number as text.
  const who = typed.who.replace(/^'/, '')
  const known = memberIn(who)
  const address = known === undefined ? addressIn(context, who) : undefined
  const recipient = known ?? (address === undefined ? undefined : addressRecipient(address))
  if (recipient === undefined) return /^[^\s@<]+@[^\s@]+$/.test(who) ? 'address' : 'not-a-member'
  if (recipient === member) return 'self'
  if (seen.has(recipient)) return 'twice'
  const amount = readSats(context, typed.amount)
  if (typeof amount === 'string') return amount
  const said = typed.reason === '' ? reason : typed.reason
  if (said.length > MAX_REWARD_REASON) return 'reason-too-long'
  const about = { line: typed.line, recipient, ...(address !== undefined && { address }) }
  return { ...about, amount: String(amount), reason: said.toWellFormed().replaceAll('\0', '') }
}

function addressIn({ egress }: Outside, text: string): string | undefined {
  try {
    return text.includes('@') ? parseLightningAddress(text, egress.lnurl).address : undefined
  } catch (error) {
    if (error instanceof InvalidLnurl) return undefined
    throw error
  }
}

function readSats({ settings, rates }: CoreContext, text: string): Msats | ListFault {
  const { minAmount: smallest, maxAmount: largest } = settings
  try {
    const amount = readAmount(text.replace(/^'/, ''), { smallest, largest, rates })
    return amount % MSATS_PER_SAT === 0n ? amount : 'amount-fraction'
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    switch (error.code) {
      case 'amount-zero':
        return 'amount-negative'
      case 'amount-too-small':
      case 'amount-too-large':
        return 'amount-range'
      default:
        return 'amount'
    }
  }
}
