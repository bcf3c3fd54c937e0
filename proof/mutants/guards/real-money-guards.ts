import type { Guard } from './guard.ts'

const NETWORK = 'src/tipping/core/book-network.ts'
const NETWORK_TEST = 'test/tipping/audit/book-network.test.ts'
const REFUSE = 'src/payments-service/machines/node/refuse-unready.ts'
const WATCH_TEST = 'test/payments-service/node/node-watch.test.ts'
const COMPARE = 'src/payments-service/node-audit/compare-with-node.ts'
const HISTORIES = 'src/payments-service/node-audit/compare-histories.ts'
const COVER_TEST = 'test/payments-service/node/cover.test.ts'
const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'

/** What real sats need besides: their name, a node that can do what is asked of it, and a node that covers the book. */
export const REAL_MONEY_GUARDS: readonly Guard[] = [
  {
    fault: 'other-network',
    holds: 'a book is not used with a provider of another network',
    places: [{ file: NETWORK, text: 'if (other !== undefined) throw new OtherNetwork(other)', without: '' }],
    test: NETWORK_TEST,
    named: 'is refused at the start',
  },
  {
    fault: 'test-sats',
    holds: 'real sats are not called test sats while the network is not known',
    places: [
      {
        file: NETWORK,
        text: "return this.#network !== undefined && this.#network !== 'bitcoin'",
        without: "return this.#network !== 'bitcoin'",
      },
    ],
    test: NETWORK_TEST,
    named: 'with a provider on undefined',
  },
  {
    fault: 'cover-more-than-lacks',
    holds: 'no command moves more to the operator’s account than it lacks, though income comes meanwhile',
    places: [
      {
        file: 'src/payments-service/administration/cover-operator.ts',
        text: 'if (operator.lastMoveId !== lastMoveId) throw changed()',
        without: 'void operator',
      },
    ],
    test: 'test/payments-service/administration.test.ts',
    named: 'though income comes between the look and the move',
  },
  {
    fault: 'node-down',
    holds: 'nothing is reserved for a node that cannot be used',
    places: [
      { file: REFUSE, text: "if (view.health.state === 'ready') return view", without: 'if (view) return view' },
    ],
    test: WATCH_TEST,
    named: 'nothing is reserved',
  },
  {
    fault: 'no-room',
    holds: 'no invoice is made that nobody could pay',
    places: [
      {
        file: REFUSE,
        text: 'if (most === undefined || amount <= most) return',
        without: 'if (most === undefined || amount > 0n) return',
      },
    ],
    test: WATCH_TEST,
    named: 'makes no invoice and no code for more',
  },
  {
    fault: 'cover-of-node',
    holds: 'what the node lacks is not explained by what it has counted already',
    places: [
      {
        file: COMPARE,
        text: 'const mayHaveLeft = most(underWay - inFlight, 0n)',
        without: 'const mayHaveLeft = underWay * 2n',
      },
    ],
    test: COVER_TEST,
    named: 'counts a payment under way once',
  },
  {
    fault: 'given-back-and-paid',
    holds: 'a payment that was given back, and that the node paid, is named',
    places: [
      {
        file: HISTORIES,
        text: "const isPaidAfterAll = status === 'failed' && said.state === 'paid'",
        without: 'const isPaidAfterAll = status === said.state',
      },
    ],
    test: COVER_TEST,
    named: 'that was given back, and that the node has paid',
  },
  {
    fault: 'untold-fee',
    holds: 'nothing of a fee limit is given back without proof that the node did not take it',
    places: [
      {
        file: FINISH,
        text: 'return { fee: msats(payment.maxFee), untold: msats(payment.maxFee), excess: msats(0) }',
        without: 'return { fee: msats(0), untold: msats(0), excess: msats(0) }',
      },
    ],
    test: 'test/payments-service/backends/lesser-nodes.test.ts',
    named: 'charges the fee limit',
  },
  {
    fault: 'suspense',
    holds: 'strangers who pay what nobody asked for do not make the operators’ channel ring for each',
    places: [
      {
        file: 'src/payments-service/core/operator-alerts.ts',
        text: 'if (!TOLD_EACH.has(told.alert) && now',
        without: 'if (false && now',
      },
    ],
    test: 'test/payments-service/receiving/suspense.test.ts',
    named: 'lets strangers make the channel ring once an hour',
  },
  {
    fault: 'suspense',
    holds: 'what waits on the suspense account is given to a wallet that somebody has',
    places: [
      {
        file: 'src/payments-service/administration/suspense.ts',
        text: 'if (holder === null) throw',
        without: 'if (false) throw',
      },
    ],
    test: 'test/payments-service/receiving/suspense.test.ts',
    named: 'a user that is none',
  },
  {
    fault: 'suspense',
    holds: 'what an operator gives away from suspense is told before the book says that it was',
    places: [
      {
        file: 'src/payments-service/receiving/tell-of-given.ts',
        text: "parts.tell({ alert: 'suspense_given', text, fields })\n      await note(id)",
        without: "await note(id)\n      parts.tell({ alert: 'suspense_given', text, fields })",
      },
    ],
    test: 'test/payments-service/two-services/at-once.test.ts',
    named: 'is told before the book says so',
  },
]
