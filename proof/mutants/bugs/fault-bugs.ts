import type { KnownBug } from './known-bug.ts'

const SETTLEMENTS = 'src/payments-service/receiving/settlement-consumer.ts'
const REPLAYS = 'src/tipping/machines/outgoing/replays.ts'
const POLL = 'src/tipping/machines/outgoing/poll-outgoing.ts'
const BOOKINGS = 'src/tipping/adjustments/adjust-books.ts'
const DECISIONS = 'src/tipping/adjustments/decide-payment.ts'

const WHAT_IS_CREDITED = 'const amount = received > face ? received : face'

/** Mistakes that show only where something else goes wrong: each is tried in worlds in which that strikes. */
export const FAULT_BUGS: readonly KnownBug[] = [
  {
    id: 'price-of-any-age',
    does: 'goes by a price that was said long ago, where nobody says one any more',
    faults: ['prices that move and vanish'],
    places: [
      {
        file: 'src/tipping/core/rates.ts',
        text: "if (!this.#fresh(this.#known)) throw new TippingRefusal('rate-stale'",
        instead: "if (this.#known.atMs < 0) throw new TippingRefusal('rate-stale'",
      },
    ],
  },
  {
    id: 'operator-books-alone',
    does: 'takes a word that the same operator repeats for that of another one, and books',
    faults: ['top-ups that are booked'],
    places: [
      {
        file: BOOKINGS,
        text: "  if (open.proposedBy === operator) throw new TippingRefusal('booking-needs-another', {})\n",
        instead: '',
      },
      {
        file: BOOKINGS,
        text: 'secondedBy: operator, secondedReason',
        instead: "secondedBy: operator + ' again', secondedReason",
      },
    ],
  },
  {
    id: 'operator-decides-alone',
    does: 'takes a word that the same operator repeats for that of another one, and decides',
    faults: ['a provider that forgets keys', 'a provider that learns to replay keys', 'answers with other amounts'],
    places: [
      {
        file: DECISIONS,
        text: "  if (open.proposedBy === operator) throw new TippingRefusal('decision-needs-another', {})\n",
        instead: '',
      },
      {
        file: DECISIONS,
        text: 'secondedBy: operator, secondedReason',
        instead: "secondedBy: operator + ' again', secondedReason",
      },
    ],
  },
  {
    id: 'restored-goes-on-by-itself',
    does: 'sends again after a restore, without an operator who says so',
    faults: ['a book that is restored'],
    places: [{ file: 'src/tipping/audit/restored.ts', text: 'if (!paused || (await', instead: 'if (paused || (await' }],
  },
  {
    id: 'short-arrival-is-the-owners',
    does: 'has the owner of an invoice bear what the node keeps of its payment',
    faults: ['invoices that arrive short'],
    places: [{ file: SETTLEMENTS, text: WHAT_IS_CREDITED, instead: 'const amount = received' }],
  },
  {
    id: 'overpayment-is-the-operators',
    does: 'gives the operator what somebody pays beyond what an invoice asks for',
    faults: ['invoices that are overpaid'],
    places: [
      { file: SETTLEMENTS, text: WHAT_IS_CREDITED, instead: 'const amount = face' },
      {
        file: SETTLEMENTS,
        text: '    { from: NODE, to: payee, amount: received },\n    { from: OPERATOR, to: payee, amount: msats(amount - received) },',
        instead:
          '    { from: NODE, to: payee, amount: received < face ? received : face },\n    { from: OPERATOR, to: payee, amount: msats(received < face ? face - received : 0n) },\n    { from: NODE, to: OPERATOR, amount: msats(received > face ? received - face : 0n) },',
      },
    ],
  },
  {
    id: 'key-sent-to-who-has-learned',
    does: 'sends a key again to a provider that stored nothing when it was sent, and pays twice',
    faults: ['a provider that learns to replay keys'],
    places: [
      { file: REPLAYS, text: 'if (!sent.replays || sent.provider', instead: 'if (sent.provider' },
      { file: POLL, text: 'where: { id, state, replays: true }', instead: 'where: { id, state }' },
    ],
  },
  {
    id: 'answer-to-itself-is-memory',
    does: 'believes that a provider remembers a key, where a request was delivered twice and answered by its own first delivery',
    faults: ['a provider that forgets keys'],
    places: [
      {
        file: 'src/payments-api/probe-replay.ts',
        text: 'return (await ask(client, SAME_INVOICE_AS_ANOTHER_REQUEST, idempotencyKey)).code === REUSED',
        instead: 'return (await ask(client, EXAMPLE_INVOICE, idempotencyKey)).replayed',
      },
    ],
  },
  {
    id: 'key-sent-to-who-has-forgotten',
    does: 'sends a key again to a provider that has forgotten it, and pays twice',
    faults: ['a provider that forgets keys'],
    places: [
      { file: REPLAYS, text: "if (await context.stillReplays()) return 'yes'", instead: "return 'yes'" },
      { file: REPLAYS, text: '          await forgetReplaysIn(tx, context, { provider })\n', instead: '' },
      {
        file: 'src/tipping/machines/outgoing/poll-after-reconnect.ts',
        text: '      await forgetReplays(context)\n',
        instead: '',
      },
    ],
  },
  {
    id: 'suspense-gives-half',
    does: 'gives a member half of what two operators give them from suspense',
    faults: ['surpluses that operators give to a member'],
    places: [
      {
        file: BOOKINGS,
        text: 'amount: msats(amount) }] }',
        instead: "amount: msats(what === 'suspense' ? amount / 2n : amount) }] }",
      },
    ],
  },
  {
    id: 'top-up-is-booked-twice',
    does: 'books twice what an operator has paid in',
    faults: ['top-ups that are booked'],
    places: [
      {
        file: BOOKINGS,
        text: 'amount: msats(amount) }] }',
        instead: "amount: msats(what === 'top-up' ? amount * 2n : amount) }] }",
      },
    ],
  },
  {
    id: 'wrong-clock-is-believed',
    does: 'believes a clock that is days ahead at a start, so that what waits goes back before its time',
    faults: ['wrong clocks at a start'],
    places: [
      {
        file: 'src/lib/book-clock.ts',
        text: 'const goesOn = stopMs >= 0 && stopMs <= MAX_STOP_MS',
        instead: 'const goesOn = stopMs >= 0',
      },
    ],
  },
  {
    id: 'correction-is-the-members-loss',
    does: 'takes from a member what operators have first decided wrongly',
    faults: ['decisions that are corrected'],
    places: [
      {
        file: 'src/tipping/adjustments/decided-end.ts',
        text: ': { from: OPERATOR, to: WALLET, amount }',
        instead: ': { from: member(payment.member), to: WALLET, amount }',
      },
    ],
  },
  {
    id: 'restored-book-pays-at-once',
    does: 'lets payments leave a restored book before it has read its wallet',
    faults: ['a book that is restored'],
    places: [
      {
        file: 'src/tipping/audit/restored.ts',
        text: "    await tx.outgoingPause.create({ data: { source: 'restore', reason, since: now } })\n",
        instead: "    if (reason === '') await tx.outgoingPause.count()\n",
      },
    ],
  },
  {
    id: 'untold-fee-is-none',
    does: 'takes a fee that the provider has not told yet for none',
    faults: ['fees that are told later'],
    places: [
      {
        file: 'src/tipping/withdrawals/withdrawal-kind.ts',
        text: 'moves: [amount, ...(fee === undefined ? [] : feeMoves(withdrawal, fee))],',
        instead: 'moves: [amount, ...feeMoves(withdrawal, fee ?? msats(0n))],',
      },
      {
        file: 'src/tipping/withdrawals/withdrawal-kind.ts',
        text: 'fee: fee ?? null, remoteId',
        instead: 'fee: fee ?? 0n, remoteId',
      },
      {
        file: 'src/tipping/withdrawals/withdrawal-kind.ts',
        text: "nextAfter: (outcome) => (outcome.kind === 'paid' && outcome.fee !== undefined ? END : undefined)",
        instead: "nextAfter: (outcome) => (outcome.kind === 'paid' ? END : undefined)",
      },
    ],
  },
  {
    id: 'price-a-percent-off',
    does: 'reads amounts in other money by a price that is a percent too low',
    faults: ['prices that move and vanish'],
    places: [
      {
        file: 'src/tipping/core/rates.ts',
        text: 'const amount = numerator / (digits * 10n ** BigInt(fraction.length))',
        instead: 'const amount = (numerator * 101n) / (digits * 100n * 10n ** BigInt(fraction.length))',
      },
    ],
  },
]
