import type { Guard } from './guard.ts'

const ONE_PAYMENT = 'src/payments-service/backends/one-payment.ts'
const CORE_LIGHTNING = 'src/payments-service/backends/core-lightning/core-lightning.ts'
const PHOENIXD = 'src/payments-service/backends/phoenixd/phoenixd.ts'
const NWC = 'src/payments-service/backends/nwc/nwc.ts'
const NWC_CLIENT = 'src/payments-service/backends/nwc/nwc-client.ts'

const CORE_LIGHTNING_TEST = 'test/payments-service/backends/core-lightning/core-lightning.test.ts'
const PHOENIXD_TEST = 'test/payments-service/backends/phoenixd/phoenixd.test.ts'
const NWC_TEST = 'test/payments-service/backends/nwc/nwc.test.ts'

/** What keeps an answer of Core Lightning, phoenixd or an NWC wallet from being taken for proof that it is not. */
export const NODE_GUARDS: readonly Guard[] = [
  {
    fault: 'unsure-repeat',
    holds: 'the error of a repeat says nothing of a call that was left without an end',
    places: [{ file: ONE_PAYMENT, text: 'if (this.#unsure.has(paymentHash)) {', without: 'if (paymentHash === "") {' }],
    test: CORE_LIGHTNING_TEST,
    named: 'is unknown when a repeat fails',
  },
  {
    fault: 'record-first',
    holds: 'the record of a payment is read before it is sent',
    places: [
      {
        file: ONE_PAYMENT,
        text: "if (before.state === 'pending') return this.#untilEnd(paymentHash, deadline)",
        without: '',
      },
      {
        file: ONE_PAYMENT,
        text: "if (after.state === 'pending') return this.#untilEnd(paymentHash, deadline)",
        without: '',
      },
      { file: ONE_PAYMENT, text: 'if (this.#unsure.has(paymentHash)) {', without: 'if (paymentHash === "") {' },
    ],
    test: CORE_LIGHTNING_TEST,
    named: 'outlives a restart of the node with an HTLC under way',
  },
  {
    fault: 'node-retries',
    holds: '"failed" of a node that may still try again is not proof',
    places: [
      {
        file: CORE_LIGHTNING,
        text: 'retriesUntil: newest + RETRY_FOR_S * 1_000 + CLOCK_SKEW_MS,',
        without: 'retriesUntil: newest - newest,',
      },
    ],
    test: CORE_LIGHTNING_TEST,
    named: 'after the retries for everybody else',
  },
  {
    fault: 'unlisted-error',
    holds: 'only an error code of the list is proof',
    places: [
      {
        file: CORE_LIGHTNING,
        text: "if (!final) return { state: 'unknown', evidence }",
        without: "if (!final) return { state: 'over', code: 'other', reason: evidence, evidence }",
      },
    ],
    test: CORE_LIGHTNING_TEST,
    named: 'is unknown when the connection broke before',
  },
  {
    fault: 'fee-limit-of-node',
    holds: 'Core Lightning is told the fee limit',
    places: [{ file: CORE_LIGHTNING, text: 'maxfee: Number(maxFee),', without: '' }],
    test: CORE_LIGHTNING_TEST,
    named: 'fails below the fee limit',
  },
  {
    fault: 'tariff-over-limit',
    holds: 'phoenixd is not asked to pay where its tariff is above the fee limit',
    places: [{ file: PHOENIXD, text: 'if (this.tariff(wanted) > maxFee) {', without: 'if (wanted < 0n) {' }],
    test: PHOENIXD_TEST,
    named: 'is kept from by refusing before phoenixd is asked',
  },
  {
    fault: 'unlisted-reason',
    holds: 'only a reason of the list is proof',
    places: [
      {
        file: PHOENIXD,
        text: "return final === undefined ? { state: 'unknown', evidence } : { state: 'over', evidence, ...final }",
        without: "return { state: 'over', evidence, code: 'other', reason, ...final }",
      },
    ],
    test: PHOENIXD_TEST,
    named: 'is unknown for a reason that proves nothing',
  },
  {
    fault: 'late-settlement',
    holds: 'what phoenixd writes down late is found',
    places: [{ file: PHOENIXD, text: 'Math.max(newest.at - OVERLAP_MS, 0)', without: 'newest.at + 1' }],
    test: PHOENIXD_TEST,
    named: 'finds what was written down late',
  },
  {
    fault: 'early-close',
    holds: 'an invoice that has just expired may still settle',
    places: [{ file: PHOENIXD, text: 'expiresAt + LATE_MS', without: 'expiresAt' }],
    test: PHOENIXD_TEST,
    named: 'closes an invoice only some minutes after',
  },
  {
    fault: 'wallet-error',
    holds: 'an error of an NWC wallet proves nothing by itself',
    places: [
      {
        file: NWC,
        text: "? { state: 'unknown', evidence: String(error) }",
        without: "? { state: 'over', evidence: String(error), code: 'other', reason: '' }",
      },
    ],
    test: NWC_TEST,
    named: 'is unknown after the error',
  },
  {
    fault: 'said-once',
    holds: 'a wallet has to call a payment failed twice',
    places: [{ file: NWC, text: 'if (now - since < TWICE_WITHIN_MS) return', without: 'if (now < since) return' }],
    test: NWC_TEST,
    named: 'only when the wallet says so twice',
  },
  {
    fault: 'request-expires',
    holds: 'a wallet that comes back later leaves an old request alone',
    places: [{ file: NWC_CLIENT, text: "['expiration',", without: "['later'," }],
    test: NWC_TEST,
    named: 'carries an expiration',
  },
]
