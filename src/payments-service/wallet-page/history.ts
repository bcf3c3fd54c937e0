import type { HistoryLine } from '../../ledger/ledger.ts'
import { readPayerData } from '../../lib/lightning/payer-data.ts'
import { npubOf } from '../../lib/nostr/npub.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { isFinal } from '../engine/sending/payment-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { zapperOf } from '../engine/zaps/zaps.ts'
import type { Charge, GamertagPayment, Invoice, Payment, Project, User, Voucher } from '../generated/client.ts'
import { OFFER_INVOICE } from '../receiving/own-offer.ts'
import type { Translator } from './i18n/translator.ts'
import { descriptionIn, giftIn, giverIn, receiverIn } from './other-person.ts'

/** One event in a wallet, as its owner thinks of it. */
export interface HistoryItem {
  readonly at: Date
  readonly kind: 'received' | 'sent' | 'voucher' | 'other'
  readonly state: 'done' | 'waiting' | 'failed'
  /** The amount in msats, without a sign and without the fee. */
  readonly amount: bigint
  /** Whether the sats came in, rather than went out. */
  readonly incoming: boolean
  /** The fee for sending, in msats; undefined while it is unknown, and for a free payment. */
  readonly fee: bigint | undefined
  /** The name or a description of the other side of the payment. */
  readonly title: string
  /** The name of the community whose bot paid on the other person's behalf. */
  readonly via?: string | undefined
  /** The note that came with the payment. */
  readonly note: string
  /** The path of the event's own page; undefined if it has none. */
  readonly path: string | undefined
}

export interface HistoryPage {
  readonly items: readonly HistoryItem[]
  /** The cursor of the next, older page; undefined if there are no older entries. */
  readonly before: number | undefined
}

export type HistoryParts = Pick<ServiceParts, 'ledger' | 'database'>

/**
 * Reads the history of a user's wallet, newest first, from the book, so that no entry is missing. A payment is one
 * item, dated when it began, however many entries it has.
 */
export async function readWalletHistory(
  parts: HistoryParts,
  userId: string,
  { limit, before }: { limit: number; before?: number | undefined },
  t: Translator,
): Promise<HistoryPage> {
  const shown: HistoryLine[] = []
  let last = before
  let more = true
  while (more && shown.length < limit) {
    const account = wallet({ kind: 'user', id: userId })
    const lines = await parts.ledger.history(account, { limit, ...(last !== undefined && { before: last }) })
    more = lines.length === limit
    for (const line of lines) {
      if (shown.length === limit) {
        more = true
        break
      }
      last = line.id
      if (!belongsToEarlier(line)) shown.push(line)
    }
  }
  const records = await readRecords(parts, shown)
  return { items: shown.map((line) => itemOf(line, { ...records, t }, userId)), before: more ? last : undefined }
}

/**
 * Whether a line is shown as part of an earlier item: a payment's end with its beginning, and what the operator added
 * to a receipt with that receipt.
 */
function belongsToEarlier({ operation, step, amount, other }: HistoryLine): boolean {
  const back = operation.startsWith('payment:') && amount > 0n && other.kind === 'in_flight' && step !== 'reserve'
  return back || other.kind === 'operator'
}

interface Records extends Rows {
  readonly t: Translator
}

interface Rows {
  readonly payments: ReadonlyMap<string, Payment>
  readonly invoices: ReadonlyMap<string, Invoice>
  readonly charges: ReadonlyMap<string, Charge>
  readonly tips: ReadonlyMap<string, GamertagPayment>
  readonly vouchers: ReadonlyMap<string, Voucher>
  readonly users: ReadonlyMap<string, User>
  readonly projects: ReadonlyMap<string, Project>
}

async function readRecords({ database: { read } }: HistoryParts, lines: readonly HistoryLine[]): Promise<Rows> {
  const ids = (prefix: string) => [...new Set(lines.flatMap((line) => idOf(line, prefix) ?? []))]
  const [payments, claims, tips, vouchers] = await Promise.all([
    read.payment.findMany({ where: { id: { in: ids('payment') } } }),
    read.payment.findMany({ where: { withdrawalRequestId: { in: ids('withdrawal-request') }, status: 'completed' } }),
    read.gamertagPayment.findMany({ where: { id: { in: ids('gamertag-payment') } } }),
    read.voucher.findMany({ where: { id: { in: ids('voucher') } } }),
  ])
  const hashes = [...ids('invoice'), ...[...payments, ...claims].map((payment) => payment.paymentHash)]
  const invoices = await read.invoice.findMany({ where: { paymentHash: { in: hashes } } })
  const holders = [
    ...tips.flatMap((tip) => [tip.payerId, tip.receiverId]),
    ...payments.map((payment) => payment.payerId),
    ...vouchers.map((voucher) => voucher.projectId),
  ]
  const [charges, users, projects] = await Promise.all([
    read.charge.findMany({ where: { id: { in: invoices.map((invoice) => invoice.resourceId) } } }),
    read.user.findMany({ where: { id: { in: holders } } }),
    read.project.findMany({ where: { id: { in: holders } } }),
  ])
  return {
    payments: new Map([
      ...byId(payments),
      ...claims.map((claim): [string, Payment] => [claim.withdrawalRequestId ?? '', claim]),
    ]),
    invoices: new Map(invoices.map((invoice) => [invoice.paymentHash, invoice])),
    charges: byId(charges),
    tips: byId(tips),
    vouchers: byId(vouchers),
    users: byId(users),
    projects: byId(projects),
  }
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the id in an operation's name; undefined if the operation is of another kind. */
function idOf({ operation }: HistoryLine, prefix: string): string | undefined {
  return operation.startsWith(`${prefix}:`) ? operation.slice(prefix.length + 1) : undefined
}

function itemOf(line: HistoryLine, records: Records, userId: string): HistoryItem {
  const tip = records.tips.get(idOf(line, 'gamertag-payment') ?? '')
  if (tip !== undefined) return tipItem(line, tip, records)
  const voucher = records.vouchers.get(idOf(line, 'voucher') ?? '')
  if (voucher !== undefined) return voucherItem(line, voucher, records)
  const payment = records.payments.get(idOf(line, 'payment') ?? idOf(line, 'withdrawal-request') ?? '')
  if (payment !== undefined && line.amount < 0n) return paymentItem(line, payment, records)
  const invoice = records.invoices.get(payment?.paymentHash ?? idOf(line, 'invoice') ?? '')
  if (invoice !== undefined && invoice.payeeId === userId) return receiptItem(line, invoice, payment, records)
  return {
    ...basis(line),
    kind: 'other',
    title: records.t(line.amount > 0n ? 'items.received' : 'items.sent'),
    note: '',
    path: undefined,
  }
}

function basis(line: HistoryLine) {
  const incoming = line.amount > 0n
  const amount = incoming ? line.amount : -line.amount
  return { at: line.at, state: 'done', amount, incoming, fee: undefined } as const
}

function tipItem(line: HistoryLine, tip: GamertagPayment, records: Records): HistoryItem {
  const { incoming, ...rest } = basis(line)
  const other = incoming
    ? nameOf({ kind: tip.payerKind, id: tip.payerId }, records)
    : gamertagOf(tip.receiverId, records)
  const isBots = incoming && tip.payerKind === 'project'
  const giver = isBots ? giverIn(tip.comment) : undefined
  const gift = isBots ? giftIn(tip.comment) : undefined
  const tipOrPayment = incoming ? 'items.tipFrom' : 'items.to'
  return {
    ...rest,
    incoming,
    kind: incoming ? 'received' : 'sent',
    title: gift ? records.t(gift.what) : records.t(tipOrPayment, { name: giver?.name ?? other }),
    via: (giver ?? gift) && other,
    note: (giver ?? gift)?.note ?? tip.comment,
    path: `/wallet/tips/${tip.id}`,
  }
}

function voucherItem(line: HistoryLine, voucher: Voucher, { t }: Records): HistoryItem {
  const path = `/wallet/vouchers/${voucher.id}`
  const note = descriptionIn(t, voucher.description)
  return { ...basis(line), kind: 'voucher', title: t('items.voucher'), note, path }
}

function paymentItem(line: HistoryLine, payment: Payment, { t }: Records): HistoryItem {
  const to = receiverIn(payment.description)
  return {
    ...basis(line),
    kind: 'sent',
    state: payment.status === 'failed' ? 'failed' : isFinal(payment) ? 'done' : 'waiting',
    amount: payment.amount,
    fee: payment.status === 'completed' ? (payment.fee ?? undefined) : undefined,
    title: to === undefined ? t('items.payment') : t('items.to', { name: to.name }),
    note: to?.note ?? payment.description,
    path: `/wallet/payments/${payment.id}`,
  }
}

function receiptItem(line: HistoryLine, invoice: Invoice, payment: Payment | undefined, records: Records): HistoryItem {
  const charge = invoice.purpose === 'charge' ? records.charges.get(invoice.resourceId) : undefined
  const from = payment && nameOf({ kind: payment.payerKind, id: payment.payerId }, records)
  return {
    ...basis(line),
    kind: 'received',
    amount:
      invoice.receivedAmount !== null && invoice.receivedAmount > invoice.amount
        ? invoice.receivedAmount
        : invoice.amount,
    title:
      from === undefined ? receiptTitle(charge, invoice, records.t) : records.t('items.receivedFrom', { name: from }),
    note: charge?.description ?? [invoice.comment, payerWords(invoice, records.t)].filter(Boolean).join(' · '),
    path: charge && `/wallet/charges/${charge.id}`,
  }
}

/**
 * Describes the payer by the name that they sent (LUD-18), or as the signed author of a zap (NIP-57); empty if neither
 * is known.
 */
function payerWords(invoice: Invoice, t: Translator): string {
  const zapper = zapperOf(invoice)
  if (zapper !== '') return t('items.zapped', { name: npubOf(zapper) })
  const { payerData } = invoice
  const { name, identifier } = readPayerData(payerData) ?? {}
  const who = name !== undefined && identifier !== undefined ? `${name} (${identifier})` : (name ?? identifier)
  return who === undefined ? '' : t('items.payerSays', { name: who })
}

function receiptTitle(charge: Charge | undefined, { request }: Invoice, t: Translator): string {
  if (request.startsWith(OFFER_INVOICE)) return t('items.byOffer')
  return t(charge === undefined ? 'items.atAddress' : 'items.overLightning')
}

function nameOf({ kind, id }: { kind: string; id: string }, records: Records): string {
  return kind === 'user' ? gamertagOf(id, records) : (records.projects.get(id)?.name ?? records.t('items.community'))
}

function gamertagOf(userId: string, { users, t }: Records): string {
  return users.get(userId)?.gamertag ?? t('items.somebody')
}
