import type { Guard } from './guard.ts'

const LND = 'src/payments-service/backends/lnd/lnd.ts'
const LND_TEST = 'test/payments-service/backends/lnd/lnd.test.ts'
const BOOK_NODE_TEST = 'test/payments-service/node/book-node.test.ts'

/** What keeps an answer of lnd from being taken for proof that it is not, and a book from another node. */
export const LND_GUARDS: readonly Guard[] = [
  {
    fault: 'lnd-refusal',
    holds: 'a refusal of lnd is proof only where it then has no record of the payment',
    places: [
      {
        file: LND,
        text: 'const found = await this.#lookUp(paymentHash, Math.min(timeoutMs, LOOK_UP_TIMEOUT_MS))',
        without: "const found: PaymentLookUp = { state: timeoutMs < 0 ? 'unknown' : 'absent', evidence: '' }",
      },
    ],
    test: LND_TEST,
    named: 'is not known to have failed where the record cannot be read',
  },
  {
    fault: 'lnd-fee-limit',
    holds: 'lnd is told the fee limit',
    places: [{ file: LND, text: 'fee_limit_msat: maxFee.toString()', without: "fee_limit_msat: '100000000'" }],
    test: LND_TEST,
    named: 'fails with proof: no route below the limit',
  },
  {
    fault: 'settled-once',
    holds: 'what a node received for a payment hash is credited once, whatever its cursor',
    places: [
      {
        file: 'src/payments-service/receiving/settlement-consumer.ts',
        text: "found?.status === 'settled' && found.settledBy !== 'inside'",
        without: 'found !== undefined && found.settledBy === settlement.cursor',
      },
    ],
    test: 'test/payments-service/receiving/settlements.test.ts',
    named: 'delivered under another cursor',
  },
  {
    fault: 'other-node',
    holds: 'another node is not taken for the one of the book',
    places: [
      {
        file: 'src/payments-service/machines/node/book-node.ts',
        text: 'if (same) return undefined',
        without: 'if (book !== null || same) return undefined',
      },
    ],
    test: BOOK_NODE_TEST,
    named: 'is not replaced by one with another key',
  },
  {
    fault: 'adopt-open',
    holds: 'a book changes its node only when no payment of the old one is open',
    places: [
      {
        file: 'src/payments-service/administration/adopt-node.ts',
        text: 'if (payments > 0) {',
        without: 'if (payments < 0) {',
      },
    ],
    test: BOOK_NODE_TEST,
    named: 'does not while a payment of the old one has no end',
  },
]
