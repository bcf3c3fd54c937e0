import type { Guard } from './guard.ts'

const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const PAY = 'src/payments-service/payments/pay-invoice.ts'
const PAYOUTS = 'src/payments-service/machines/sending/payouts.ts'
const RESOLVER = 'src/payments-service/machines/sending/resolver.ts'
const CLAIM = 'src/payments-service/withdrawal-requests/claim-withdrawal-request.ts'
const LIMITS = 'src/payments-service/machines/node/amount-limits.ts'
const SERVICE_TABLES = 'prisma/payments/migrations/20261121000002_service/migration.sql'

const OUTCOMES = 'test/payments-service/payments/outcomes.test.ts'
const CRASHES = 'test/payments-service/payments/crashes.test.ts'
const CLAIMS = 'test/payments-service/withdrawal-requests/claims.test.ts'
const SEND = 'test/payments-service/operations/send-payment.test.ts'

const WHAT_THE_CALL_THREW = {
  file: PAYOUTS,
  text: "return { state: 'unknown', evidence: String(error) }",
  without: "return { state: 'failed', code: 'other', reason: String(error), evidence: '' }",
}

const MAXIMUM = [
  {
    file: LIMITS,
    text: 'if (amounts.every((amount) => amount <= settings.maxAmount)) return',
    without: 'if (settings !== amounts) return',
  },
]

/** What guards the service's money. */
export const SERVICE_GUARDS: readonly Guard[] = [
  {
    fault: '2',
    holds: 'the node is told a fee limit',
    places: [
      {
        file: PAYOUTS,
        text: 'amount, maxFee, timeoutMs: CALL_TIMEOUT_MS })',
        without: 'amount, timeoutMs: CALL_TIMEOUT_MS })',
      },
    ],
    test: OUTCOMES,
    named: 'fault 2:',
  },
  {
    fault: '2',
    holds: 'amount and fee limit are held before the node is asked',
    places: [
      {
        file: 'src/payments-service/payments/reserve-payment.ts',
        text: 'msats(payment.amount + payment.maxFee)',
        without: 'msats(payment.amount)',
      },
    ],
    test: OUTCOMES,
    named: 'fault 2:',
  },
  {
    fault: '3',
    holds: 'nobody pays more than the fee limit that was shown',
    places: [
      {
        file: FINISH,
        text: 'msats(taken > payment.maxFee ? payment.maxFee : taken)',
        without: 'msats(taken)',
      },
    ],
    test: OUTCOMES,
    named: 'fault 3:',
  },
  {
    fault: '4',
    holds: "an invoice that credits the payer's own wallet is refused",
    places: [{ file: PAY, text: 'payee.kind === payer.kind && payee.id === payer.id', without: 'false' }],
    test: SEND,
    named: 'fault 4:',
  },
  {
    fault: '5',
    holds: 'an invoice of ours never goes over the node',
    places: [{ file: PAY, text: 'if (own !== undefined) return payInside(parts, request, own, hold)', without: '' }],
    test: SEND,
    named: 'fault 5:',
  },
  {
    fault: '6',
    holds: 'a call to the node that failed proves nothing',
    places: [WHAT_THE_CALL_THREW],
    test: OUTCOMES,
    named: 'fault 6:',
  },
  {
    fault: '7',
    holds: 'a look-up ends nothing by "failed" while the call is on its way',
    places: [
      {
        file: RESOLVER,
        text: 'isOpen || this.#isSending(payment.id)',
        without: 'isOpen',
      },
    ],
    test: OUTCOMES,
    named: 'fault 7:',
  },
  {
    fault: '9',
    holds: 'a hold that nobody marks as sending is given back',
    places: [
      {
        file: RESOLVER,
        text: "await (payment.status === 'held' ? this.#giveUp(payment) : this.#askNode(payment))",
        without: "if (payment.status !== 'held') await this.#askNode(payment)",
      },
    ],
    test: CRASHES,
    named: 'fault 9:',
  },
  {
    fault: '10',
    holds: 'a failure of an earlier payment of the same hash is not taken for that of a later one',
    places: [
      {
        file: RESOLVER,
        text: "found.state === 'failed' && !(await this.#hasPredecessor(payment))",
        without: "found.state === 'failed'",
      },
    ],
    test: OUTCOMES,
    named: 'fault 10:',
  },
  {
    fault: '12',
    holds: 'no amount is taken above what may be moved at once',
    places: MAXIMUM,
    test: SEND,
    named: '(fault 12)',
  },
  {
    fault: '12',
    holds: 'nor for a withdrawal request',
    places: MAXIMUM,
    test: 'test/payments-service/operations/create-withdrawal-request.test.ts',
    named: '(fault 12)',
  },
  {
    fault: '13',
    holds: 'a withdrawal request is claimed once, no matter who comes at the same moment',
    places: [{ file: CLAIM, text: 'refuseUnclaimable(parts, current)', without: 'void current' }],
    test: CLAIMS,
    named: 'fault 13:',
  },
  {
    fault: '13',
    holds: 'the journal lets a voucher end once',
    places: [
      { file: 'src/ledger/judge-change.ts', text: 'if (journal.refuses(entry)) {', without: 'if (journal === null) {' },
      // The escrow of one voucher holds its sats once.
      {
        file: 'src/ledger/judge-change.ts',
        text: 'const short = overdrawn(chart, accounts, change)',
        without: 'const short = undefined as ReturnType<typeof overdrawn>',
      },
    ],
    test: 'test/payments-service/operations/redeem-voucher.test.ts',
    named: 'fault 13:',
  },
  {
    fault: '14',
    holds: 'a claim whose end is not known keeps its request closed',
    places: [WHAT_THE_CALL_THREW],
    test: CLAIMS,
    named: 'fault 14:',
  },
  {
    fault: '15',
    holds: 'one sender marks a payment, and none once it was given up',
    places: [{ file: PAYOUTS, text: "where: { id, status: 'held', sender:", without: 'where: { id, sender:' }],
    test: CRASHES,
    named: 'fault 15:',
  },
  {
    fault: '16',
    holds: 'a look-up that failed says nothing',
    places: [
      {
        file: RESOLVER,
        text: '(error) => unknown(String(error))',
        without: "(error) => resolve({ state: 'failed', code: 'other', reason: String(error), evidence: '' })",
      },
    ],
    test: CRASHES,
    named: 'fault 16:',
  },
  {
    fault: '17',
    holds: 'operators are told of a payment without an end',
    places: [{ file: RESOLVER, text: 'age >= ALERT_AFTER_MS', without: 'age < 0' }],
    test: CRASHES,
    named: 'fault 17:',
  },
  {
    fault: '19',
    holds: 'a name is connected to only where its address is public',
    places: [{ file: 'src/lib/http/guarded-connection.ts', text: 'addresses.filter(allows)', without: 'addresses' }],
    test: 'test/lib/http/guarded-fetch.test.ts',
    named: 'addresses that are never asked',
  },
  {
    fault: '19',
    holds: 'an address inside the network is refused as it is written, too',
    places: [
      {
        file: 'src/lib/http/outgoing-url.ts',
        text: 'address !== undefined && !mayConnect(url.protocol, address, allowLoopback)',
        without: 'address === url.href',
      },
      {
        file: 'src/lib/http/guarded-connection.ts',
        text: 'isIP(options.hostname) !== 0 && !connector.allows(options.hostname)',
        without: 'isIP(options.hostname) === 1',
      },
    ],
    test: 'test/lib/http/guarded-fetch.test.ts',
    named: 'addresses that are never asked',
  },
  {
    fault: '21',
    holds: 'what was marked as sending is not given back at the start',
    places: [
      {
        file: RESOLVER,
        text: "await (payment.status === 'held' ?",
        without: 'await (payment.status ?',
      },
      { file: FINISH, text: "reason }, ['held'])", without: 'reason }, OPEN_STATES)' },
    ],
    test: CRASHES,
    named: 'fault 21:',
  },
  {
    fault: '23',
    holds: 'an amount beside the one in the invoice is refused',
    places: [
      {
        file: 'src/payments-service/payments/read-payable.ts',
        text: 'invoice.amount !== undefined && amount !== undefined',
        without: 'invoice.amount === 0n',
      },
    ],
    test: SEND,
    named: '(fault 23)',
  },
  {
    fault: '23',
    holds: 'a withdrawal request is claimed with an invoice of exactly its amount',
    places: [{ file: CLAIM, text: 'if (amount === request.amount) return', without: 'if (request) return' }],
    test: CLAIMS,
    named: '(fault 23)',
  },
  {
    fault: '28',
    holds: 'an invoice with a hash of ours is paid only if it is ours to the last letter',
    places: [{ file: PAY, text: 'own === undefined || own.request === invoice.text', without: 'own !== null' }],
    test: SEND,
    named: 'fault 28:',
  },
  {
    fault: '29',
    holds: 'a repeat is answered by the first one before anything is judged again',
    places: [
      {
        file: 'src/payments-service/machines/http/run-operation.ts',
        text: "if (keyed.claim.kind !== 'fresh') return await answerFromClaim(parts, implementation, keyed.claim)",
        without: '',
      },
      // What is stored is found, too, when it is in the way of a second answer.
      {
        file: 'src/payments-service/machines/http/idempotency.ts',
        text: 'commit().catch((error: unknown) => explain(error, name, { operation, body })),',
        without: 'commit(),',
      },
    ],
    test: CRASHES,
    named: 'fault 29:',
  },
  {
    fault: '32',
    holds: 'one payment of a hash lives at a time',
    places: [
      {
        file: 'src/payments-service/payments/reserve-payment.ts',
        text: "status: { not: 'failed' } },",
        without: "status: 'nobody' },",
      },
      {
        file: SERVICE_TABLES,
        text: 'CREATE UNIQUE INDEX "Payment_hash_live"',
        without: 'CREATE INDEX "Payment_hash_live"',
      },
    ],
    test: SEND,
    named: 'fault 32:',
  },
  {
    fault: '33',
    holds: 'time alone ends no payment',
    places: [
      {
        file: RESOLVER,
        text: "const unknown = (evidence: string) => resolve({ state: 'unknown', evidence })",
        without:
          "const unknown = (evidence: string) => resolve({ state: 'unknown', evidence })\n      if (clock.now() - payment.createdAt.getTime() > 604_800_000) return resolve({ state: 'failed', code: 'other', reason: 'too old', evidence: '' })",
      },
    ],
    test: CRASHES,
    named: 'fault 33:',
  },
]
