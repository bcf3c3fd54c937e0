import type { Explained } from './explained.ts'

const SWEEPER = 'src/payments-service/receiving/invoice-sweeper.ts'
const ASKED_AGAIN =
  'Of what has its end the book keeps no time of a next look-up, so nothing is written and nothing asked.'

/** What survives the tests of receiving, and why that is well. */
export const OF_RECEIVING: readonly Explained[] = [
  {
    file: 'src/payments-service/receiving/charge.ts',
    code: "kind: 'charge',",
    changes: [`'charge' => ""`],
    because: 'The kind has the compiler compare the body with the interface; nothing reads it when it runs.',
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
    file: 'src/payments-service/receiving/settlement-consumer.ts',
    code: "if (invoice === undefined || reason !== undefined) await suspend(parts, settlement, reason ?? 'unknown invoice')",
    changes: [`'unknown invoice' => ""`],
    because: 'Where there is no invoice there is a reason; the other one is for the compiler.',
  },
]
