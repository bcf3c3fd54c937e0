import { ceilToSat, floorToSat, msats } from '../../lib/money/amount.ts'
import type { BookedAs, HistoryPage, MemberLine } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { button, type Message, select } from '../messages/message.ts'
import { colour, mention, panel, relative, small } from '../messages/panel.ts'

/** The verb in the `custom_id` of buttons that open another page of a history. */
export const HISTORY_PAGE_VERB = 'history-page'
export const HISTORY_CSV_VERB = 'history-file'
export const HISTORY_RECEIPT_VERB = 'history-receipt'

const MARKS: Readonly<Record<BookedAs, string>> = {
  'tip-sent': '⚡',
  'tip-received': '⚡',
  'tip-returned': '↩️',
  reward: '🏅',
  payout: '👜',
  returned: '↩️',
  'fee-returned': '↩️',
  deposit: '📥',
  address: '📮',
  withdrawal: '📤',
  payment: '🧾',
  voucher: '🎟️',
  'voucher-returned': '↩️',
  redemption: '🎟️',
  drop: '🪂',
  'drop-share': '🪂',
  'drop-rest': '↩️',
  giveaway: '🎊',
  prize: '🎉',
  'giveaway-rest': '↩️',
  'pool-gift': '🏺',
  faucet: '🚰',
  correction: '🛠️',
}

/** The marks for an unpaid or pending gift on a line without room for a text. */
const STATE_MARKS = { asked: '⏳', unsure: '🟠', unpaid: '❌', unconfirmed: '❔' } as const

/**
 * Draws a page of bookings as of `at`, with buttons for other pages and for a file of all bookings, and a menu of
 * receipts.
 */
export function drawHistory({ lines, balance, hasOlder }: HistoryPage, page: number, t: Translator, at: Date): Message {
  const title = t('history.title')
  if (lines.length === 0 && page === 0) {
    return { embeds: [panel(colour.over, t(balance === undefined ? 'history.empty' : 'balance.empty'), { title })] }
  }
  const told = lines.flatMap((line) => [
    `${MARKS[line.what]} ${struckIfUnpaid(line, `**${amountOf(line, t)}**`)} ${nameOfBooking(line, t)}`,
    small(`${relative(line.at)} · ${afterwards(line, t)}`),
  ])
  const now = balance === undefined ? [] : [t('history.now', { balance: floorToSat(balance) })]
  const pages = [
    ...(page > 0 ? [button(HISTORY_PAGE_VERB, String(page - 1), t('history.newerButton'), { emoji: '◀️' })] : []),
    ...(hasOlder ? [button(HISTORY_PAGE_VERB, String(page + 1), t('history.olderButton'), { emoji: '▶️' })] : []),
  ]
  return {
    embeds: [panel(colour.satchel, [...now, ...told], { title })],
    menus:
      lines.length === 0 ? [] : [select(HISTORY_RECEIPT_VERB, 'menu', t('history.receiptMenu'), choices(lines, t, at))],
    buttons: [...pages, button(HISTORY_CSV_VERB, 'all', t('history.fileButton'), { emoji: '📄' })],
  }
}

function afterwards(line: MemberLine, t: Translator): string {
  const { balance } = line
  return balance === undefined
    ? (stateOf(line, t) ?? t('history.direct'))
    : t('history.after', { balance: floorToSat(balance) })
}

/** Returns the state of a gift from wallet to wallet; undefined for a paid gift, and for a booking. */
export function stateOf({ state, who }: Pick<MemberLine, 'state' | 'who'>, t: Translator): string | undefined {
  if (state === undefined || state === 'direct') return undefined
  return t(`tip.summary.${state}`, { people: mention(who ?? '') })
}

/** Strikes an unpaid sum through, so that nobody reads it as spent. */
export function struckIfUnpaid({ state }: Pick<MemberLine, 'state'>, text: string): string {
  return state === 'unpaid' ? `~~${text}~~` : text
}

/** Describes a booking, including the other party. */
export function nameOfBooking({ what, who }: Pick<MemberLine, 'what' | 'who'>, t: Translator): string {
  return t(`history.what.${what}`, { who: who === undefined || who === '' ? '–' : mention(who) })
}

/**
 * Returns a label for an operation in a menu or a suggestion, where Discord shows no mentions. `when` must be plain
 * text for the same reason.
 */
export function labelOfBooking(line: MemberLine, t: Translator, when: string): string {
  const { what, state } = line
  return `${state === undefined || state === 'direct' ? MARKS[what] : STATE_MARKS[state]} ${amountOf(line, t)} · ${when}`
}

/** The kinds of bookings whose amount includes a fee, or the returned rest of a fee. */
const WITH_FEES: ReadonlySet<BookedAs> = new Set(['payout', 'returned', 'fee-returned', 'withdrawal', 'payment'])

/**
 * Formats an amount to the msat, or, if it may include a fee, rounded to whole sats, because the receipt and the file
 * show the exact amount.
 */
function amountOf({ what, amount, state }: MemberLine, t: Translator): string {
  if (!WITH_FEES.has(what)) return signed({ amount, state }, t)
  const rounded = amount < 0n ? -ceilToSat(msats(-amount)) : floorToSat(msats(amount))
  return signed({ amount: rounded, state }, t)
}

/**
 * Formats an amount to the msat with its sign: `+5 sats`, `−5 sats`. An unpaid sum has no sign, because no sats have
 * moved.
 */
export function signed({ amount, state }: Pick<MemberLine, 'amount' | 'state'>, t: Translator): string {
  const figure = t.amount(amount < 0n ? -amount : amount)
  if (state === 'unpaid') return figure
  return amount < 0n ? `−${figure}` : `+${figure}`
}

function choices(lines: readonly MemberLine[], t: Translator, at: Date) {
  const first = new Map<string, MemberLine>()
  // An operation's oldest booking says most: the payment comes before its return.
  for (const line of lines) first.set(line.operation, line)
  return [...first.values()].map((line) => ({
    value: line.operation,
    label: labelOfBooking(line, t, t.fromNow(line.at, at)),
  }))
}
