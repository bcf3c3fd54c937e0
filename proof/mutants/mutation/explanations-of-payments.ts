import type { Explained } from './explained.ts'

const SENDING = 'src/payments-service/machines/sending'

const KIND_FOR_THE_COMPILER =
  'The kind of a callback tells the compiler which body belongs to it. It is stored nowhere, and sent nowhere.'
const NOTHING_ELSE_IS_THROWN =
  'The reader of the text throws nothing else. Another error would be a mistake of ours, which must not pass for one of the payer.'
const ONLY_REMEMBERED =
  'What was never marked as sending is given back without asking the node, so that nothing asks when it was taken over.'

/** What survives the tests of payments, and why that is well. */
export const OF_PAYMENTS: readonly Explained[] = [
  {
    file: 'src/payments-service/machines/sending/payment-record.ts',
    code: "keysendId: payment.keysendId ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: 'Each keysend has an id; the empty one is there for the compiler.',
  },
  {
    file: 'src/payments-service/machines/sending/payouts.ts',
    code: "const preimage = payment.preimage ?? ''",
    changes: [`'' => "Stryker was here!"`],
    because: 'Each keysend has its preimage from the hold on; the empty one is there for the compiler.',
  },
  {
    file: 'src/payments-service/machines/sending/voucher-claim-record.ts',
    code: "k1: walletSecret ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: 'A wallet finds a voucher by this secret, so it has one; the empty one is there for the compiler.',
  },
  {
    file: `${SENDING}/finish-payment.ts`,
    code: '...(end.sender !== undefined && { sender: end.sender }),',
    changes: ['end.sender !== undefined => true'],
    because: 'Prisma takes a condition whose value is undefined for none.',
  },
  {
    file: `${SENDING}/log-outcome.ts`,
    code: "if (!logger.isLevelEnabled('debug')) return",
    changes: ["!logger.isLevelEnabled('debug') => false"],
    because: 'It only spares making a line that the logger would drop.',
  },
  {
    file: `${SENDING}/payment-callback.ts`,
    code: "if (payment.kind !== 'keysend') return callbackRows(parts, { ...about, kind: 'payment', body: paymentData(payment) })",
    changes: [`'payment' => ""`],
    because: KIND_FOR_THE_COMPILER,
  },
  {
    file: `${SENDING}/payment-callback.ts`,
    code: "return callbackRows(parts, { ...about, kind: 'keysend', body })",
    changes: [`'keysend' => ""`],
    because: KIND_FOR_THE_COMPILER,
  },
  ...[
    "if (!this.#parts.leases.isLive()) return { state: 'unknown', evidence: 'the lease ended before the node was asked' }",
    "return { state: 'unknown', evidence: 'paid, it says, with a preimage that does not match' }",
    "return { state: 'unknown', evidence: String(error) }",
  ].map((code) => ({
    file: `${SENDING}/payouts.ts`,
    code,
    changes: [`'unknown' => ""`],
    because: 'Every answer that is neither “paid” nor “failed” is looked up, no matter what it is called.',
  })),
  {
    file: `${SENDING}/withdrawal-request-record.ts`,
    code: "kind: 'withdrawalRequest',",
    changes: [`'withdrawalRequest' => ""`],
    because: KIND_FOR_THE_COMPILER,
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: 'const payments = await tx.payment.findMany({ where: await free(tx), select: { id: true, status: true } })',
    changes: ['true => false'],
    because: ONLY_REMEMBERED,
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: "if (status !== 'held' && !leases.alone) this.#takenOver.set(id, clock.monotonic())",
    changes: ["status !== 'held' => true", `'held' => ""`],
    because: ONLY_REMEMBERED,
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: 'for (const kept of [this.#absentSince, this.#takenOver]) kept.delete(payment.id)',
    changes: ['kept.delete(payment.id) => ;', '[this.#absentSince, this.#takenOver] => []'],
    because: 'It only frees memory: what has ended is never asked for again.',
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: 'if (now - (this.#takenOver.get(payment.id) ?? Number.NEGATIVE_INFINITY) < SENDER_TIMEOUT_MS) return undefined',
    changes: [
      'now - (this.#takenOver.get(payment.id) ?? Number.NEGATIVE_INFINITY) < SENDER_TIMEOUT_MS => now - (this.#takenOver.get(payment.id) ?? Number.NEGATIVE_INFINITY) <= SENDER_TIMEOUT_MS',
    ],
    because: 'It waits for one look-up more where the last one falls on the very millisecond.',
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: 'return { status: { in: OPEN_STATES }, sender: this.#parts.leases.holder }',
    changes: ['{ in: OPEN_STATES } => {}'],
    because:
      'What this process has ended has no time of a look-up, and at its start it has ended nothing; the condition lets the database read its index.',
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: 'where: { ...this.#open(), nextLookUpAt: { not: null } },',
    changes: ['{ not: null } => {}'],
    because: 'Whatever is open has a time; the condition lets the database read it from its index.',
  },
  {
    file: 'src/payments-service/payments/read-payable.ts',
    code: "if (error instanceof InvalidInvoice) throw new ServiceRefusal('invalid_invoice', error.message)",
    changes: ['error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: 'src/payments-service/payments/fetch-offer-invoice.ts',
    code: 'if (error instanceof InvalidInvoice) throw invalid(error.message)',
    changes: ['error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: 'src/payments-service/payments/fetch-offer-invoice.ts',
    code: "if (error instanceof InvalidInvoice) throw unanswered('it cannot be read')",
    changes: ['error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: 'src/payments-service/payments/fetch-offer-invoice.ts',
    code: 'const due = wanted.amount ?? offer?.amount',
    changes: ['offer?.amount => offer.amount'],
    because: 'A name without an amount is refused before, so that there is an offer where the amount is left to it.',
  },
  {
    file: 'src/payments-service/payments/fetch-offer-invoice.ts',
    code: 'if (amount === undefined) throw amountRequired()',
    changes: ['amount === undefined => false'],
    because: 'Offers of ours name no amount, and such an offer without one was refused before.',
  },
  {
    file: 'src/payments-service/payments/read-payable.ts',
    code: 'const read = own === undefined ? readAnyInvoice(parts, text) : readOwn(own)',
    changes: ['own === undefined => true'],
    because: 'It only spares reading once more what the book knows.',
  },
  {
    file: `${SENDING}/resolver.ts`,
    code: "state: 'failed',",
    changes: [`'failed' => ""`],
    because: 'Of a proven outcome is only asked whether it is “paid”; all else has failed.',
  },
]
