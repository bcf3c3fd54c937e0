import type { Explained } from './explained.ts'

const SWEEPER = 'src/payments-service/receiving/invoice-sweeper.ts'
const ASKED_AGAIN =
  'Of what has its end the book keeps no time of a next look-up, so nothing is written and nothing asked.'
const COMPARES = 'The kind has the compiler compare the body with the interface; nothing reads it when it runs.'
const NO_OTHER_HASH =
  'No invoice has a payment hash of another form, so nothing is found. PostgreSQL refuses a NUL in the question, which tests on a server notice.'
const CONSUMER = 'src/payments-service/receiving/settlement-consumer.ts'
const OWN_INVOICE = 'src/payments-service/receiving/own-invoice.ts'
const READ_LATER =
  'A short cut: our own invoice is otherwise read like any other, which takes longer, then found by its payment hash and compared as a whole.'
const OWN_OFFER = 'src/payments-service/receiving/own-offer.ts'
const SETTLED_AT_ONCE =
  'The transaction that writes the row settles it, too, which sets this; until then it only must not be settled already.'
const SETTLE = 'src/payments-service/receiving/settle-invoice.ts'

/** What survives the tests of receiving, and why that is well. */
export const OF_RECEIVING: readonly Explained[] = [
  {
    file: 'src/payments-service/receiving/charge.ts',
    code: "kind: 'charge',",
    changes: [`'charge' => ""`],
    because: COMPARES,
  },
  {
    file: 'src/payments-service/receiving/hand-out-invoice.ts',
    code: "override name = 'NoSlotFree'",
    changes: [`'NoSlotFree' => ""`],
    because: 'It is caught, and nobody reads its name but in a debugger.',
  },
  {
    file: SWEEPER,
    code: '...(resourceId !== undefined && { resourceId }),',
    changes: ['resourceId !== undefined => true'],
    because: 'Prisma takes a condition whose value is undefined for none.',
  },
  {
    file: SWEEPER,
    code: "orderBy: { nextLookUpAt: 'asc' },",
    changes: ["{ nextLookUpAt: 'asc' } => {}"],
    because: 'SQLite reads by the index of this column, so in its order, anyway. PostgreSQL promises no order.',
  },
  {
    file: SWEEPER,
    code: 'if (done) return',
    changes: ['done => false'],
    because: ASKED_AGAIN,
  },
  {
    file: SWEEPER,
    code: 'return true',
    changes: ['true => false'],
    because: ASKED_AGAIN,
  },
  {
    file: 'src/payments-service/receiving/lnurl-pay-routes.ts',
    code: 'return { ...payable, maxAmount: most > payable.minAmount ? most : payable.minAmount }',
    changes: ['most > payable.minAmount => most >= payable.minAmount'],
    because: 'Where both are the same it does not matter which of them is said.',
  },
  {
    file: CONSUMER,
    code: "if (invoice === undefined || reason !== undefined) await suspend(parts, settlement, reason ?? 'unknown invoice')",
    changes: [`'unknown invoice' => ""`, 'invoice === undefined => false'],
    because: 'Where there is no invoice there is a reason; the other one is for the compiler.',
  },
  {
    file: OWN_INVOICE,
    code: 'export async function findOpenInvoice({ database }: ServiceParts, text: string): Promise<Invoice | undefined> {',
    changes: [
      "{ return (await database.read.invoice.findUnique({ where: { request: text, status: 'open' } })) ?? undefined } => {}",
    ],
    because: READ_LATER,
  },
  {
    file: OWN_INVOICE,
    code: "return (await database.read.invoice.findUnique({ where: { request: text, status: 'open' } })) ?? undefined",
    changes: [`'open' => ""`],
    because: READ_LATER,
  },
  {
    file: OWN_OFFER,
    code: "status: 'open',",
    changes: [`'open' => ""`],
    because: SETTLED_AT_ONCE,
  },
  {
    file: OWN_OFFER,
    code: "payer: '',",
    changes: [`'' => "Stryker was here!"`],
    because: SETTLED_AT_ONCE,
  },
  {
    file: OWN_OFFER,
    code: '...{ receivedAmount: null, preimage: null, settledAt: null, settledBy: null, nextLookUpAt: null, lookUps: 0 },',
    changes: [
      '{ receivedAmount: null, preimage: null, settledAt: null, settledBy: null, nextLookUpAt: null, lookUps: 0 } => {}',
    ],
    because: SETTLED_AT_ONCE,
  },
  {
    file: SETTLE,
    code: "override name = 'AlreadySettled'",
    changes: [`'AlreadySettled' => ""`],
    because: 'It is caught, and nobody reads its name but in a debugger.',
  },
  {
    file: SETTLE,
    code: 'return true',
    changes: ['true => false'],
    because: ASKED_AGAIN,
  },
  {
    file: 'src/payments-service/receiving/invoice-sweeper.ts',
    code: 'return failures === 0 ? due : Math.max(due, pauseAfterFailures(failures))',
    changes: ['failures === 0 => false'],
    because: 'After no failure the other pause would be half a second, and what is due waits a whole one at least.',
  },
  {
    file: 'src/payments-service/receiving/invoice-sweeper.ts',
    code: 'const wait = (next?.nextLookUpAt?.getTime() ?? Number.POSITIVE_INFINITY) - bookClock.earliest()',
    changes: ['next?.nextLookUpAt?.getTime => next?.nextLookUpAt.getTime', 'next?.nextLookUpAt => next.nextLookUpAt'],
    because:
      'Only rows that have a time are asked for. Where there is none it looks after a quarter of a minute, which it does after an error, too.',
  },
  {
    file: CONSUMER,
    code: "let stuck = { paymentHash: '', times: 0 }",
    changes: [`'' => "Stryker was here!"`, "{ paymentHash: '', times: 0 } => {}"],
    because: 'It is what no payment hash is, so that the first one is another, and is counted from one.',
  },
  {
    file: CONSUMER,
    code: 'return node !== null && settledAt < node.since',
    changes: ['node !== null => true'],
    because: 'No settlement is told before the node was noted; the question is for the compiler.',
  },
  {
    file: CONSUMER,
    code: 'const amount = received > face ? received : face',
    changes: ['received > face => received >= face'],
    because: 'Where both are the same it does not matter which of them is credited.',
  },
  {
    file: 'src/payments-service/receiving/static-charge.ts',
    code: "kind: 'staticCharge',",
    changes: [`'staticCharge' => ""`],
    because: COMPARES,
  },
  {
    file: 'src/payments-service/receiving/verify-route.ts',
    code: 'const PAYMENT_HASH = /^[0-9a-f]{64}$/',
    changes: ['/^[0-9a-f]{64}$/ => /[0-9a-f]{64}$/', '/^[0-9a-f]{64}$/ => /^[0-9a-f]{64}/'],
    because: NO_OTHER_HASH,
  },
  {
    file: 'src/payments-service/receiving/verify-route.ts',
    code: 'const invoice = PAYMENT_HASH.test(paymentHash)',
    changes: ['PAYMENT_HASH.test(paymentHash) => true'],
    because: NO_OTHER_HASH,
  },
]
