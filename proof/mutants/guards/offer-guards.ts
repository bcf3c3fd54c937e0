import type { Guard } from './guard.ts'

const SERVICE = 'src/payments-service/payments/fetch-offer-invoice.ts'
const SERVICE_TEST = 'test/payments-service/operations/fetch-offer-invoice.test.ts'
const BOT = 'src/tipping/withdrawals/fetch-offer-invoice.ts'
const BOT_TEST = 'test/tipping/withdrawals/offers.test.ts'

/** What guards the invoices that makers of BOLT12 offers give. */
export const OFFER_GUARDS: readonly Guard[] = [
  {
    fault: 'offers',
    holds: 'the service takes no invoice of an offer over another amount than agreed',
    places: [
      {
        file: SERVICE,
        text: 'if (invoice.amount !== due) {',
        without: 'if (due === undefined) {',
      },
    ],
    test: SERVICE_TEST,
    named: 'does not take an invoice with another amount',
  },
  {
    fault: 'offers',
    holds: 'the bot reads the amount of an offer’s invoice itself, whatever the provider says',
    places: [
      {
        file: BOT,
        text: 'const isTaken = invoice.amount === amount && (network',
        without: 'const isTaken = (network',
      },
    ],
    test: BOT_TEST,
    named: 'takes no invoice with another amount',
  },
  {
    fault: 'offers',
    holds: 'a withdrawal to an offer pays the invoice that was stored, and fetches no other',
    places: [
      {
        file: 'src/tipping/withdrawals/ask-withdrawal.ts',
        text: '...(invoice !== undefined && { invoice: invoice.text, paymentHash: invoice.paymentHash }),',
        without: '',
      },
    ],
    test: BOT_TEST,
    named: 'has its invoice before it is confirmed',
  },
  {
    fault: 'offers',
    holds: 'an offer’s invoice with a payment hash of ours is not paid',
    places: [
      {
        file: 'src/payments-service/payments/pay-invoice.ts',
        text: 'if (own === undefined || own.request === invoice.text) return own',
        without: 'return own',
      },
    ],
    test: SERVICE_TEST,
    named: 'with a payment hash of our own under another signature',
  },
  {
    fault: 'offers',
    holds: 'of what was paid by an offer of ours, what arrived is credited and no more',
    places: [
      {
        file: 'src/payments-service/receiving/own-offer.ts',
        text: 'amount: received,',
        without: 'amount: received + 1_000n,',
      },
    ],
    test: 'test/payments-service/receiving/own-offers.test.ts',
    named: 'has what is paid to it listed and credited like any payment',
  },
  {
    fault: 'offers',
    holds: 'no payer writes so much that the book cannot take it, and nobody is credited any more',
    places: [
      {
        file: 'src/payments-service/receiving/own-offer.ts',
        text: "request: [OFFER_INVOICE, paymentHash].join(':'),",
        without: 'request: paid.invoice,',
      },
    ],
    test: 'test/payments-service/receiving/own-offers.test.ts',
    named: 'with a note of any length',
  },
  {
    fault: 'offers',
    holds: 'no two wallets have an offer that says the same, which would be one offer to the node',
    places: [
      {
        file: 'src/payments-service/receiving/own-offer.ts',
        text: "return [host, whose].join('/')",
        without: 'return host + whose.slice(16)',
      },
    ],
    test: 'test/payments-service/receiving/own-offers.test.ts',
    named: 'also after somebody else has the name',
  },
  {
    fault: 'offers',
    holds: 'nobody who forwarded a payment reads the payer’s note in its invoice',
    places: [
      {
        file: 'src/payments-service/receiving/verify-route.ts',
        text: ', NOT: { request: { startsWith: OFFER_INVOICE } }',
        without: '',
      },
    ],
    test: 'test/payments-service/receiving/own-offers.test.ts',
    named: 'tells the nodes that forward a payment nothing of its invoice',
  },
  {
    fault: 'offers',
    holds: 'a stranger with a sat cannot send a member a thousand messages by an offer',
    places: [{ file: 'src/tipping/addresses/poll-address.ts', text: 'if (amount < MIN_TOLD) continue', without: '' }],
    test: 'test/tipping/addresses/addresses.test.ts',
    named: 'less than a sat is credited',
  },
]
