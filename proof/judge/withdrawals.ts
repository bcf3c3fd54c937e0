import type { BookWatch } from './book-watch.ts'
import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import { SentOn } from './forwarded.ts'
import type { Credit, Holdings } from './holdings.ts'
import type { Keepers } from './keepers.ts'
import type { Links } from './links.ts'
import { POOL } from './model.ts'
import type { Moment, Span } from './moments.ts'
import type { Names } from './names.ts'
import type { OfferInvoices } from './offer-invoices.ts'
import type { NetworkPayment } from './outgoing.ts'
import { CONFIRM_ABOVE, MAX_SENT_ON_AN_HOUR, MAX_WITHDRAWALS, mostFee, typedMsats } from './promises.ts'
import type { ShownWithdrawal } from './shown.ts'
import { amountOf, CODE_TO_SCAN, type Exchange, TO_INVOICE, type Wire } from './wire.ts'

/** The states of reserved payments that have not ended. */
const UNDER_WAY = `'reserved', 'sending', 'unknown', 'offered', 'claimed'`

const HOUR_MS = 3_600_000

/** The stored kind of automatic payments to a Lightning Address. */
export const FORWARDED = 'forwarded'

/** An invoice that an external address gave to a payer. */
export interface HandedOut {
  readonly address: string
  readonly amount: bigint
}

/** A withdrawal as a member typed it. */
export interface TypedWithdrawal {
  readonly member: string
  /** The amount as typed: sats, `all` or `half`; for a request for money, as its maker typed it. */
  readonly amount: string
  /** The destination as typed; undefined for a code to scan. */
  readonly to: string | undefined
  /** The recipient, if the withdrawal pays a code of the service whose maker is known. */
  readonly credit: Credit | undefined
  /** The gamertag before the @, if the destination has one. */
  readonly gamertag: string | undefined
  /** Whether the withdrawal pays somebody's request for money, which is free if it never leaves the provider. */
  readonly request: boolean
  /** The span in which its invoice may have been made. */
  span: Span
}

export interface WithdrawalEvidence {
  readonly faults: Faults
  readonly wire: Wire
  readonly names: Names
  readonly lightning: BookWatch
  readonly serviceBook: BookWatch
  readonly holdings: Holdings
  readonly decidedPaid: ReadonlySet<string>
  /** The invoices from the providers of external addresses. */
  readonly handedOut: ReadonlyMap<string, HandedOut>
  readonly offers: OfferInvoices
  /** Codes that a member was told had ended before anybody scanned them. */
  readonly endedCodes: ReadonlySet<string>
  readonly calledOff: ReadonlySet<string>
  /** The network's payments for codes that members scanned, by withdrawal. */
  readonly paidCodes: ReadonlyMap<string, NetworkPayment>
  /** The service's invoices that were paid inside the service; filled by the judging of withdrawals. */
  readonly paidInside: Set<string>
}

/** Judges outgoing sats: what was typed, shown and sent must match what the network moved and charged. */
export class Withdrawals {
  readonly typed = new Map<string, TypedWithdrawal>()
  /** Withdrawals that were shown as cancelled. */
  readonly calledOff = new Set<string>()
  /** Codes that were shown as ended by their member before anybody scanned them. */
  readonly endedCodes = new Set<string>()
  /** All addresses that each member has ever chosen for the forwarding of their tips. */
  readonly #addresses = new Map<string, Set<string>>()
  /** Sums that moderators typed in lists, in msats, by address. */
  readonly #listed = new Map<string, bigint>()
  readonly #sentOn: SentOn
  readonly #faults: Faults
  readonly #keepers: Keepers
  readonly #forwards: Links
  readonly #clock: Clocks
  /** The automatic payments that were seen, by id, each with its member and the span in which it was reserved. */
  readonly #wentOn = new Map<string, Span & { readonly member: string }>()
  #lookedAt: Moment | undefined

  constructor(faults: Faults, keepers: Keepers, forwards: Links, clock: Clocks) {
    this.#faults = faults
    this.#sentOn = new SentOn(faults)
    this.#keepers = keepers
    this.#forwards = forwards
    this.#clock = clock
  }

  /** Notes that a member chooses the address to which their tips are forwarded. */
  forwardsTo(member: string, address: string): void {
    this.#sentOn.begins(member)
    this.#addresses.set(member, (this.#addresses.get(member) ?? new Set()).add(address))
  }

  /** Checks that the automatic payments in a member's history go only to addresses that the member chose. */
  forwarded(
    rows: readonly { readonly id: string; readonly member: string; readonly destination: string }[],
    now: Moment,
  ): void {
    for (const { id, member, destination: to } of rows) {
      // Members who had their data deleted no longer see its destination.
      const right = this.#addresses.get(member)?.has(to) || (to === '' && this.#forwards.hasForgotten(member))
      this.#faults.expect(right, () => `the withdrawal ${id} of ${member} went on to ${to}, and nobody said so`)
      const span = { from: now, to: now, again: false }
      const typed = { member, to, amount: FORWARDED, credit: undefined, gamertag: undefined, request: false, span }
      this.typed.set(id, typed)
    }
  }

  /** Notes that a moderator types a line of a list, to an address that no other line has. */
  listed(address: string, sats: number): void {
    this.#listed.set(address, BigInt(sats) * 1_000n)
  }

  /** Checks lists' payments: each line is paid at most once, to its address, by the server's pool. */
  sentByLists(
    rows: readonly { readonly id: string; readonly destination: string; readonly amount: bigint }[],
    now: Moment,
  ): void {
    const seen = new Set<string>()
    for (const { id, destination: to, amount } of rows) {
      const isForgotten = to === ''
      const right = isForgotten || (this.#listed.get(to) === amount && !seen.has(to))
      this.#faults.expect(
        right,
        () => `the withdrawal ${id} of ${amount} msats pays ${to} for a list, and no line says so`,
      )
      seen.add(to)
      const span = { from: now, to: now, again: false }
      const nobody = { credit: undefined, gamertag: undefined, request: false }
      this.typed.set(id, { ...nobody, member: POOL, to, amount: `${amount} msats`, span })
    }
  }

  /** Checks that a withdrawal was decided only by its own member. */
  obeyed(id: string, presser: string): void {
    const member = this.typed.get(id)?.member
    this.#faults.expect(member === presser, () => `the withdrawal ${id} of ${member} was decided by ${presser}`)
  }

  /**
   * Checks that a member never has more confirmed withdrawals in flight than allowed. Automatic payments do not count.
   */
  look(botBook: BookWatch, now: Moment): void {
    this.#sentOn.look(botBook)
    this.#checkForwarded(botBook, now)
    const many = botBook.rows<{ member: string }>(
      `SELECT "member" FROM "Withdrawal" WHERE "state" IN (${UNDER_WAY}) AND NOT "forwarded" AND "pool" IS NULL
       GROUP BY "member" HAVING COUNT(*) > ${MAX_WITHDRAWALS}`,
    )
    for (const { member } of many)
      this.#faults.add(`${member} has more than ${MAX_WITHDRAWALS} withdrawals on their way`)
  }

  /**
   * Checks that each automatic payment went to the address that its member wanted at the time. A bot that dies between
   * noting and sending a payment sends it again later, with the same reserve.
   */
  judgeSentOn(wire: Wire, ends: readonly Moment[]): void {
    for (const { body, first } of wire.at(TO_INVOICE)) {
      const id = String(body.internalId)
      const about = this.typed.get(id)
      const reserved = this.#wentOn.get(id)
      if (about?.amount !== FORWARDED || reserved === undefined || about.to === '') continue
      const { member, to = '' } = about
      const hasDied = ends.some(({ order }) => order > reserved.from.order && order < first.order)
      this.#faults.expect(
        hasDied || this.#forwards.mayGoTo(member, to, first),
        () => `the withdrawal ${id} left for ${to} after ${member} had left that address`,
      )
    }
  }

  /**
   * Checks that no sats are forwarded for a member who keeps everything here, or to an address that a member has given
   * up.
   */
  #checkForwarded(botBook: BookWatch, now: Moment): void {
    const from = this.#lookedAt ?? now
    this.#lookedAt = now
    const [count] = botBook.rows<{ count: number | bigint }>(
      `SELECT COUNT(*) AS "count" FROM "Withdrawal" WHERE "forwarded"`,
    )
    if (Number(count?.count) === this.#wentOn.size) return
    const rows = botBook.rows<{ id: string; member: string; destination: string }>(
      `SELECT "id", "member", "destination" FROM "Withdrawal" WHERE "forwarded"`,
    )
    for (const { id, member, destination: to } of rows) {
      if (this.#wentOn.has(id)) continue
      const span = { from, to: now, again: false }
      this.#wentOn.set(id, { ...span, member })
      this.#judgeHurry(member, now)
      const isChosen = this.#forwards.usersIn(member, span).has(to)
      this.#faults.expect(
        isChosen || (to === '' && this.#forwards.hasForgotten(member)),
        () => `the withdrawal ${id} of ${member} goes on to ${to}, which they had left by then`,
      )
      const kept = this.#keepers.keepsAll(member, { from, to: now })
      this.#faults.expect(!kept, () => `the withdrawal ${id} went on for ${member}, who keeps everything here`)
    }
  }

  /** Checks that no more automatic payments are made for a member in an hour of the bot's clock than allowed. */
  #judgeHurry(member: string, now: Moment): void {
    const lately = [...this.#wentOn.values()].filter(
      (one) => one.member === member && now.ms - one.from.ms < HOUR_MS && this.#clock.isSteady(one.from, now),
    )
    this.#faults.expect(
      lately.length <= MAX_SENT_ON_AN_HOUR,
      () => `${lately.length} withdrawals went on for ${member} in an hour, and ${MAX_SENT_ON_AN_HOUR} may`,
    )
  }

  /** Notes that a member is asked to confirm a withdrawal. */
  asked(view: ShownWithdrawal, typed: TypedWithdrawal): void {
    const { id, member, amount, feeLimit, state } = view
    const first = !this.typed.has(id)
    this.typed.set(id, typed)
    const requested = typedMsats(typed.amount)
    const about = () => `the withdrawal ${id} of ${typed.amount} by ${typed.member}`
    this.#faults.expect(member === typed.member, () => `${about()} is shown as one of ${member}`)
    this.#faults.expect(requested === undefined || requested === amount, () => `${about()} is shown as ${amount} msats`)
    // Only a small request for money is paid immediately. A second press may show one that the member has already
    // confirmed.
    const waits = first && (!typed.request || amount > CONFIRM_ABOVE)
    this.#faults.expect(
      !waits || ['asked', 'cancelled'].includes(state),
      () => `${about()}, of ${amount} msats, is ${state} without a confirmation`,
    )
    const right = feeLimit === mostFee(amount) || (typed.request && feeLimit === 0n)
    this.#faults.expect(
      right,
      () => `${about()} may cost ${feeLimit} msats, and should at most cost ${mostFee(amount)}`,
    )
  }
}

/**
 * Judges the end of every withdrawal, and adds its cost to the model. Returns the sum, in msats, that the provider has
 * and the bot does not know of.
 */
export function judgeWithdrawals(
  typed: ReadonlyMap<string, TypedWithdrawal>,
  shown: readonly ShownWithdrawal[],
  evidence: WithdrawalEvidence,
): bigint {
  const { faults, wire, lightning, holdings, decidedPaid } = evidence
  const sent = [...wire.at(TO_INVOICE), ...wire.at(CODE_TO_SCAN)]
  const left = new Map(
    lightning
      .rows<NetworkPayment>(`SELECT paymentHash, amount, fee FROM payment WHERE payer = 'ours' AND state = 'paid'`)
      .map((payment) => [payment.paymentHash, payment]),
  )
  let unseen = 0n
  const isCode = ({ kind }: ShownWithdrawal) => kind === 'request'
  for (const view of shown) {
    const about = typed.get(view.id) as TypedWithdrawal
    const exchanges = sent.filter(({ body }) => body.internalId === view.id)
    const [exchange] = exchanges
    const say = (what: string) => faults.add(`the withdrawal ${view.id} of ${about.amount} by ${about.member} ${what}`)
    if (exchanges.length > 1) say(`was sent with ${exchanges.length} keys`)
    if (evidence.calledOff.has(view.id) && (view.state !== 'cancelled' || exchange !== undefined))
      say(`was called off, and is shown as ${view.state}`)
    if (evidence.endedCodes.has(view.id) && view.state !== 'returned')
      say(`was ended before anybody had scanned it, and is shown as ${view.state}`)
    if (exchange !== undefined) checkSent(view, about, exchange, evidence, say)
    const payment = isCode(view) ? evidence.paidCodes.get(view.id) : paymentOfInvoice(exchange, left, evidence)
    if (payment !== undefined && payment !== 'inside') left.delete(payment.paymentHash)
    if (view.state !== 'paid') {
      if (!['asked', 'cancelled', 'returned'].includes(view.state)) say(`is still shown as ${view.state}`)
      if (payment !== undefined && payment !== 'inside') say(`is shown as ${view.state}, and the network has paid it`)
      continue
    }
    if (exchange === undefined || payment === undefined) {
      say('is shown as paid, and nothing was paid')
      continue
    }
    const taken = payment === 'inside' ? 0n : payment.fee
    const fee = taken < view.feeLimit ? taken : view.feeLimit
    const decided = decidedPaid.has(exchange.key) && view.fee === view.feeLimit
    if (decided) unseen += view.feeLimit - fee
    else if (view.fee !== fee) say(`is shown as one that cost ${view.fee} msats, and the network took ${taken}`)
    if (payment !== 'inside' && payment.amount !== view.amount)
      say(`paid ${payment.amount} msats, and was shown as ${view.amount}`)
    holdings.give(about.member, -(view.amount + (view.fee ?? 0n)))
    if (payment === 'inside') arriveInside(view, about, exchange, evidence, say)
  }
  return unseen
}

function checkSent(
  { amount, feeLimit }: ShownWithdrawal,
  { to, credit, gamertag }: TypedWithdrawal,
  exchange: Exchange,
  { lightning, handedOut, offers }: WithdrawalEvidence,
  say: (what: string) => void,
): void {
  const [asked, limit] = [amountOf(exchange, 'amount', 'body'), amountOf(exchange, 'maxFee', 'body')]
  if (asked !== undefined && asked !== amount) say(`was sent as ${asked} msats, and shown as ${amount}`)
  const most = feeLimit === 0n ? 1n : feeLimit
  if (limit !== undefined && limit !== most) say(`may cost ${limit} msats on the wire, and ${feeLimit} as shown`)
  if (exchange.path === CODE_TO_SCAN) {
    if (to !== undefined) say('became a code that anybody may scan')
    return
  }
  const invoice = String(exchange.body.invoice)
  const [known] = lightning.rows<{ owner: string; amount: bigint | null }>(
    'SELECT owner, amount FROM invoice WHERE invoice = ?',
    offers.onNetwork(invoice),
  )
  if (known?.amount !== null && known?.amount !== amount) say(`pays an invoice of ${known?.amount} msats`)
  if (known?.amount === null && asked === undefined) say('leaves open how much is paid')
  const ofOffer = offers.of(invoice)
  const given = ofOffer === undefined ? handedOut.get(invoice) : { ...ofOffer, address: ofOffer.offer }
  const right =
    to === invoice ||
    (given?.amount === amount && (to === '' || to === given.address)) ||
    (known?.owner === 'ours' && (credit ?? gamertag) !== undefined)
  if (!right) say(`goes to ${invoice}, and was to go to ${to}`)
}

/**
 * Returns the network's payment of the invoice in a request; `inside` if the invoice is the service's own, whose
 * payment never leaves the service.
 */
function paymentOfInvoice(
  exchange: Exchange | undefined,
  left: ReadonlyMap<string, NetworkPayment>,
  { lightning, offers }: WithdrawalEvidence,
): NetworkPayment | 'inside' | undefined {
  const [invoice] = lightning.rows<{ owner: string; paymentHash: string }>(
    'SELECT owner, paymentHash FROM invoice WHERE invoice = ?',
    offers.onNetwork(String(exchange?.body.invoice ?? '')),
  )
  if (invoice === undefined) return undefined
  return invoice.owner === 'ours' ? 'inside' : left.get(invoice.paymentHash)
}

/**
 * Checks that the recipient of the invoice has the amount: the maker of the code, or the gamertag's owner at the time
 * of the request.
 */
function arriveInside(
  { amount }: ShownWithdrawal,
  { credit, gamertag, span }: TypedWithdrawal,
  { body }: Exchange,
  { serviceBook, names, holdings, paidInside }: WithdrawalEvidence,
  say: (what: string) => void,
): void {
  paidInside.add(String(body.invoice))
  if (credit !== undefined) {
    credit(amount, holdings)
    return
  }
  const [invoice] = serviceBook.rows<{ payeeId: string }>(
    'SELECT "payeeId" FROM "Invoice" WHERE "request" = ?',
    body.invoice,
  )
  const user = invoice?.payeeId ?? ''
  if (gamertag === undefined || !names.ownersIn(gamertag, span).has(user))
    say(`went to ${user}, who never was ${gamertag}`)
  holdings.pay(user, amount)
}
