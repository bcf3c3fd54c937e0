import type { KnownBug } from './known-bug.ts'

const ASK = 'src/tipping/withdrawals/ask-withdrawal.ts'
const FORWARD = 'src/tipping/withdrawals/poll-forward.ts'
const PAY = 'src/tipping/withdrawals/pay-invoice.ts'
const START = 'src/tipping/withdrawals/start-withdrawal.ts'
const KIND = 'src/tipping/withdrawals/withdrawal-kind.ts'
const SEND = 'src/tipping/machines/outgoing/send-outgoing.ts'
const RECORD = 'src/tipping/machines/outgoing/record-outcome.ts'
const FAILURES = 'src/tipping/machines/outgoing/failures.ts'
const AMOUNT = 'src/lib/money/amount.ts'
const SWITCH = 'src/tipping/machines/outgoing/outgoing-payments-switch.ts'

/** Mistakes about what members take out, and about the pause of all that leaves. */
export const WITHDRAWAL_BUGS: readonly KnownBug[] = [
  {
    id: 'withdrawal-whole-fee-limit',
    does: 'charges members the whole fee limit, and says that it was the fee',
    places: [
      {
        file: RECORD,
        text: 'backToMember(row, msats(row.feeLimit - borne)),',
        instead:
          "{ ...backToMember(row, msats(row.feeLimit - borne)), ...('paymentHash' in row && { to: OPERATOR }) },",
      },
      {
        file: KIND,
        text: 'fee: fee ?? null',
        instead: 'fee: fee === undefined ? null : withdrawal.feeLimit',
      },
    ],
  },
  {
    id: 'withdrawal-rest-of-fee-kept',
    does: 'keeps what the fee did not use of its limit, and shows the right fee',
    places: [
      {
        file: RECORD,
        text: 'backToMember(row, msats(row.feeLimit - borne)),',
        instead:
          "{ ...backToMember(row, msats(row.feeLimit - borne)), ...('paymentHash' in row && { to: OPERATOR }) },",
      },
    ],
  },
  {
    id: 'withdrawal-decided-by-anybody',
    does: 'lets anybody confirm or call off a withdrawal of somebody else',
    places: [
      {
        file: START,
        text: "  if (withdrawal.member !== member) throw new TippingRefusal('not-yours', {})\n",
        instead: '  void member\n',
      },
    ],
  },
  {
    id: 'withdrawals-without-end',
    does: 'lets a member have any number of withdrawals on their way',
    places: [
      {
        file: 'src/tipping/withdrawals/open-withdrawals.ts',
        text: 'if (open >= most)',
        instead: 'if (open >= most * 1_000)',
      },
    ],
  },
  {
    id: 'fee-limit-tenfold',
    does: 'sets fee limits ten times as high, on both sides',
    places: [
      {
        file: AMOUNT,
        text: 'return limit > sats(10) ? limit : sats(10)',
        instead: 'return (10n * (limit > sats(10) ? limit : sats(10))) as Msats',
      },
    ],
  },
  {
    id: 'withdrawal-a-sat-more',
    does: 'takes out a sat more than was typed',
    places: [
      {
        file: ASK,
        text: 'const amount = readSendable(context, typed, { balance, limitOf })',
        instead: 'const amount = msats(readSendable(context, typed, { balance, limitOf }) + 1_000n)',
      },
    ],
  },
  {
    id: 'withdrawal-tenfold-above-500',
    does: 'reads what is typed for a withdrawal ten times too large, for more than 700 sats, as for a unit forgotten',
    places: [
      {
        file: ASK,
        text: 'if (!isRelative(text)) return readAmount(text, limits)',
        instead: 'if (!isRelative(text)) return msats(readAmount(text, limits) * (/^7\\d\\d$/.test(text) ? 10n : 1n))',
      },
    ],
  },
  {
    id: 'withdrawal-after-no',
    does: 'carries a withdrawal out that its member has called off, when the other button is pressed after all',
    places: [
      {
        file: START,
        text: "  if (withdrawal.state === 'cancelled') throw new TippingRefusal('withdrawal-over', {})\n",
        instead: '',
      },
      {
        file: START,
        text: "if (withdrawal.state !== 'asked') return await viewWithdrawal",
        instead: "if (!['asked', 'cancelled'].includes(withdrawal.state)) return await viewWithdrawal",
      },
      {
        file: START,
        text: "where: { id, state: 'asked' },\n        data: { ...payable",
        instead: "where: { id, state: { in: ['asked', 'cancelled'] } },\n        data: { endedAt: null, ...payable",
      },
    ],
  },
  {
    id: 'withdrawal-without-a-word',
    does: "pays another member's large request without a confirmation",
    places: [{ file: PAY, text: '  if (view.amount > confirmAbove) return view\n', instead: '' }],
  },
  {
    id: 'withdrawal-unknown-comes-back',
    does: 'gives a withdrawal back of which nobody knows whether it was paid',
    places: [
      {
        file: FAILURES,
        text: "if (error.happened === 'maybe') return",
        instead: "if (error.happened === 'maybe' && kind.name !== 'withdrawal') return",
      },
    ],
  },
  {
    id: 'withdrawal-other-key-each-time',
    does: 'asks about an unknown withdrawal with another key, so that it may be paid twice',
    places: [
      {
        file: KIND,
        text: 'idempotencyKey: withdrawal.key }',
        instead: "idempotencyKey: withdrawal.state === 'unknown' ? withdrawal.key + '-again' : withdrawal.key }",
      },
    ],
  },
  {
    id: 'withdrawal-code-expired-kept',
    does: 'gives the sats of a code that nobody scanned to the operator',
    places: [
      {
        file: RECORD,
        text: 'const moves = [backToMember(row, kind.reservedOf(row))]',
        instead:
          "const moves = [{ ...backToMember(row, kind.reservedOf(row)), ...(outcome.because === 'expired' && { to: OPERATOR }) }]",
      },
    ],
  },
  {
    id: 'pause-stops-nothing',
    does: 'lets everything leave while operators have paused it',
    places: [
      {
        file: SWITCH,
        text: 'return this.paused === undefined',
        instead: "return this.paused === undefined || this.paused.source === 'operator'",
      },
      {
        file: SWITCH,
        text: "    if (source === 'operator') throw new TippingRefusal('outgoing-paused-by-operator', { reason })\n",
        instead: '',
      },
      {
        file: SWITCH,
        text: 'findFirst({ where: { until: null } })',
        instead: "findFirst({ where: { until: null, source: { not: 'operator' } } })",
      },
    ],
  },
  {
    id: 'pause-stops-no-withdrawal',
    does: 'stops payouts and vouchers in a pause, and no withdrawal',
    places: [
      { file: START, text: '  context.outgoingSwitch.assertOutgoingEnabled()\n', instead: '' },
      { file: ASK, text: '  context.outgoingSwitch.assertOutgoingEnabled()\n', instead: '' },
      { file: PAY, text: '  context.outgoingSwitch.assertOutgoingEnabled()\n', instead: '' },
      {
        file: SEND,
        text: 'if (!kind.comesIn && !context.outgoingSwitch.open)',
        instead: "if (!kind.comesIn && kind.name !== 'withdrawal' && !context.outgoingSwitch.open)",
      },
      {
        file: SEND,
        text: 'const pause = kind.comesIn ?',
        instead: "const pause = kind.comesIn || kind.name === 'withdrawal' ?",
      },
    ],
  },
  {
    id: 'pause-forgotten-at-restart',
    does: 'forgets at a restart that operators have paused what leaves',
    places: [
      {
        file: SWITCH,
        text: 'findMany({ where: { until: null } })',
        instead: "findMany({ where: { until: null, source: { not: 'operator' } } })",
      },
      {
        file: SWITCH,
        text: 'findFirst({ where: { until: null } })',
        instead: "findFirst({ where: { until: null, source: { not: 'operator' } } })",
      },
    ],
  },
  {
    id: 'half-withdraws-all',
    does: 'asks about all that can be sent where a member types half',
    places: [{ file: ASK, text: 'isAll(text) ? largestSendable', instead: 'isRelative(text) ? largestSendable' }],
  },
  {
    id: 'deposits-go-on-with-tips',
    does: 'sends the whole balance on to a Lightning Address, not what was tipped',
    places: [
      { file: FORWARD, text: ': spendable < forwardDue ? spendable : forwardDue)', instead: ': spendable)' },
      { file: FORWARD, text: 'keepHere, forwardDue: { gte: reserved } }', instead: 'keepHere }' },
      { file: FORWARD, text: 'data: { forwardDue: { decrement: reserved } }', instead: 'data: { forwardDue: 0n }' },
    ],
  },
  {
    id: 'pause-comes-back-at-restart',
    does: 'ends a pause in memory alone, so that the next start has it again',
    places: [
      { file: SWITCH, text: 'data: { until } }),', instead: 'data: {} }),' },
      {
        file: SWITCH,
        text: 'await this.load(context)\n    for (const pause of unwritten)',
        instead: 'this.#known.delete(source)\n    for (const pause of unwritten)',
      },
    ],
  },
]
