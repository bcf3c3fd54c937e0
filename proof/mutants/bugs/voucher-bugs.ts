import type { KnownBug } from './known-bug.ts'

const RESERVE = 'src/tipping/vouchers/reserve-voucher.ts'
const KIND = 'src/tipping/vouchers/voucher-kind.ts'
const RECORD = 'src/tipping/machines/outgoing/record-outcome.ts'
const FAILURES = 'src/tipping/machines/outgoing/failures.ts'
const REVOKED = 'src/tipping/vouchers/end-revocation.ts'
const REDEEM = 'src/tipping/vouchers/redeem-voucher.ts'
const SERVICE_CREATE = 'src/payments-service/operations/create-voucher.ts'
const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const SERVICE_END = 'src/payments-service/vouchers/end-voucher.ts'

/** Mistakes about codes that are worth sats, on both sides. */
export const VOUCHER_BUGS: readonly KnownBug[] = [
  {
    id: 'voucher-whole-fee-limit',
    does: 'keeps what making a code did not use of its fee limit',
    places: [
      {
        file: RECORD,
        text: 'backToMember(row, msats(row.feeLimit - borne)),',
        instead: "{ ...backToMember(row, msats(row.feeLimit - borne)), ...('voucherId' in row && { to: OPERATOR }) },",
      },
    ],
  },
  {
    id: 'voucher-worth-a-sat-less',
    does: 'makes codes that are worth a sat less than was taken for them',
    places: [
      {
        file: KIND,
        text: 'amount: amount.toString()',
        instead: 'amount: (amount > 1_000n ? amount - 1_000n : amount).toString()',
      },
    ],
  },
  {
    id: 'voucher-revoked-for-its-recipient',
    does: 'gives the sats of a code that its maker took back to whom it was meant for',
    places: [
      {
        file: REVOKED,
        text: 'to: member(voucher.member), amount',
        instead: 'to: member(voucher.recipient ?? voucher.member), amount',
      },
    ],
  },
  {
    id: 'voucher-unknown-comes-back',
    does: 'gives the sats of a code back of which nobody knows whether it was made',
    places: [
      {
        file: FAILURES,
        text: "if (error.happened === 'maybe') return",
        instead: "if (error.happened === 'maybe' && kind.name !== 'voucher') return",
      },
    ],
  },
  {
    id: 'voucher-costs-a-sat-more',
    does: 'takes a sat more for a code than was typed and is shown',
    places: [
      {
        file: RESERVE,
        text: "import { reserveEntry } from '../machines/outgoing/record-outcome.ts'",
        instead:
          "import { member, OPERATOR } from '../core/chart-of-accounts.ts'\nimport { reserveEntry } from '../machines/outgoing/record-outcome.ts'",
      },
      {
        file: RESERVE,
        text: 'entry: reserveEntry({ id, member: voucher.member }, msats(amount + feeLimit)),',
        instead: `entry: {
      operation: id,
      step: 'reserve',
      moves: [
        ...reserveEntry({ id, member: voucher.member }, msats(amount + feeLimit)).moves,
        { from: member(voucher.member), to: OPERATOR, amount: msats(1_000n) },
      ],
    },`,
      },
    ],
  },
  {
    id: 'redeemed-for-its-maker',
    does: 'credits a code that was redeemed here to the member who made it here',
    places: [
      {
        file: REDEEM,
        text: 'await sendMarked(context, REDEMPTIONS, redemption, { code: command.code })',
        instead: `const own = await context.database.read.voucher.findFirst({ where: { code: redemption.code, state: 'live' } })
  await sendMarked(context, REDEMPTIONS, { ...redemption, member: own?.member ?? redemption.member }, { code: command.code })`,
      },
    ],
  },
  {
    id: 'redeemed-unknown-is-over',
    does: 'says of a code whose answer was lost that nothing came of it',
    places: [
      {
        file: FAILURES,
        text: "if (error.happened === 'maybe') return",
        instead:
          "if (error.happened === 'maybe' && kind.name === 'redemption') return { kind: 'failed', because: 'failed', reason: null }\n  if (error.happened === 'maybe') return",
      },
    ],
  },
  {
    id: 'service-voucher-fee-tenfold',
    does: 'takes ten times the fee for a voucher, at the service',
    places: [{ file: SERVICE_CREATE, text: 'ceilDivide(amount, 100n)', instead: 'ceilDivide(amount, 10n)' }],
  },
  {
    id: 'service-voucher-revoked-less-fee',
    does: 'keeps a sat of a voucher that is taken back, at the service',
    places: [
      {
        file: SERVICE_END,
        text: "import { type Holder, voucherEscrow, wallet } from '../core/chart-of-accounts.ts'",
        instead: "import { FEE_INCOME, type Holder, voucherEscrow, wallet } from '../core/chart-of-accounts.ts'",
      },
      {
        file: SERVICE_END,
        text: 'moves: [{ from: voucherEscrow(voucher.id), to: wallet(end.to), amount: msats(voucher.amount) }]',
        instead:
          "moves: end.step === 'void' && voucher.amount > 1_000n ? [{ from: voucherEscrow(voucher.id), to: wallet(end.to), amount: msats(voucher.amount - 1_000n) }, { from: voucherEscrow(voucher.id), to: FEE_INCOME, amount: msats(1_000n) }] : [{ from: voucherEscrow(voucher.id), to: wallet(end.to), amount: msats(voucher.amount) }]",
      },
    ],
  },
  {
    id: 'voucher-claim-rest-to-its-project',
    does: 'gives its project what the way to another wallet did not cost of a voucher',
    places: [
      {
        file: FINISH,
        text: 'return payment.voucherId === null ? wallet(payerOf(payment)) : FEE_INCOME',
        instead: 'return payment.voucherId === FEE_INCOME.owner ? FEE_INCOME : wallet(payerOf(payment))',
      },
    ],
  },
  {
    id: 'voucher-failed-claim-to-its-project',
    does: 'gives its project the sats of a voucher when a payment to another wallet fails',
    places: [
      { file: FINISH, text: 'to: voucherEscrow(payment.voucherId), amount', instead: 'to: wallet(payer), amount' },
    ],
  },
]
