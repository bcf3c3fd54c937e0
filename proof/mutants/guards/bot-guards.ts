import type { Guard } from './guard.ts'

const READ_CHARGE = 'src/tipping/machines/incoming/read-charge.ts'
const READ_DEPOSIT = 'src/tipping/deposits/poll-deposit.ts'
const CLAIM_DROP = 'src/tipping/drops/claim-drop.ts'
const TABLES = 'prisma/tipping/migrations/20261121000002_tipping/migration.sql'
const DROP_TABLES = 'prisma/tipping/migrations/20261121000020_vouchers_and_drops/migration.sql'
const BOOKS = 'prisma/tipping/migrations/20261121000001_books/migration.sql'

const DEPOSITS = 'test/tipping/deposits.test.ts'
const CLOCKS = 'test/reliability/clocks.test.ts'

const OTHER_CHARGE = 'data.minAmount !== amount || data.maxAmount !== amount || data.slots > maxSlots'

/** The book judges each change in memory; the database's CHECK says the same once more. */
const OVERDRAWN = [
  { file: 'src/ledger/judge-change.ts', text: 'if (short !== undefined) {', without: 'if (short === null) {' },
  { file: BOOKS, text: `"kind" = 'operator'`, without: `"kind" <> ''` },
]

/** What else guards the bot's money. */
export const BOT_GUARDS: readonly Guard[] = [
  {
    fault: '1',
    holds: 'no balance falls below zero, no matter who takes from it at once',
    places: OVERDRAWN,
    test: 'test/tipping/tips.test.ts',
    named: 'fault 1:',
  },
  {
    fault: '1',
    holds: 'the same, of the book itself',
    places: OVERDRAWN,
    test: 'test/ledger/ledger.test.ts',
    named: 'never overdraw together',
  },
  {
    fault: '6',
    holds: "the same, in the reading of a provider's answers",
    places: [
      {
        file: 'src/payments-api/errors.ts',
        text: "details.kind === 'refused' || details.kind === 'unreachable' ? 'no' : 'maybe'",
        without: "'no'",
      },
    ],
    test: 'test/reliability/strange-answers.test.ts',
    named: 'pays a payout once, and its end is found',
  },
  {
    fault: '8',
    holds: 'a callback is answered when its hint is durable',
    places: [
      {
        file: 'src/web/web-server.ts',
        text: 'const heard = await options.tipping.hint(token, parse(body))',
        without: "const heard: string = 'noted'; void options.tipping.hint(token, parse(body))",
      },
    ],
    test: 'test/web/web-server.test.ts',
    named: 'is answered only when the hint is durable',
  },
  {
    fault: '11',
    holds: 'what is announced is written with the change that it announces',
    places: [
      {
        file: 'src/tipping/tips/send-tip.ts',
        text: '  await context.commit({\n    entries: shares',
        without:
          '  if (plan.tippedMessage === undefined) await context.ledger.commit({ rows: [cardRow(context, plan)] })\n  await context.commit({\n    entries: shares',
      },
      {
        file: 'src/tipping/tips/send-tip.ts',
        text: '...(plan.tippedMessage === undefined ? [cardRow(context, plan)] : []),',
        without: '',
      },
    ],
    test: 'test/tipping/cards.test.ts',
    named: 'fault 11:',
  },
  {
    fault: '20',
    holds: 'each slot of a deposit is credited once',
    places: [
      {
        file: READ_CHARGE,
        text: 'operation: record.id,',
        without: 'operation: context.entropy.uuid(),',
      },
      { file: READ_DEPOSIT, text: 'where: { id, credited: before }', without: 'where: { id }' },
    ],
    test: DEPOSITS,
    named: 'fault 20:',
  },
  {
    fault: '20',
    holds: 'a deposit is asked after though nobody says that it was paid',
    places: [
      {
        file: READ_CHARGE,
        text: 'const again = inMs(await kind.pauseMs(context, record, job))',
        without: 'const again = END',
      },
    ],
    test: DEPOSITS,
    named: 'never: found by polling',
  },
  {
    fault: '22',
    holds: 'a command is carried out once for each interaction',
    places: [
      { file: 'src/tipping/machines/once-only/once-only.ts', text: 'if (running) return running', without: '' },
      {
        file: 'src/tipping/machines/once-only/once-only.ts',
        text: 'if (before !== undefined) return before',
        without: '',
      },
      {
        file: TABLES,
        text: 'CREATE UNIQUE INDEX "Operation_interaction_ordinal_key"',
        without: 'CREATE INDEX "Operation_interaction_ordinal_key"',
      },
    ],
    test: 'test/tipping/tips.test.ts',
    named: 'fault 22:',
  },
  {
    fault: '22',
    holds: 'a person has one share of a drop',
    places: [
      { file: CLAIM_DROP, text: 'if (before) return await viewDropClaim(context, before.id)', without: '' },
      {
        file: CLAIM_DROP,
        text: 'if (await tx.dropClaim.findFirst({ where: { dropId, member } }))',
        without: 'if (dropId === null)',
      },
      {
        file: DROP_TABLES,
        text: 'CREATE UNIQUE INDEX "DropClaim_dropId_member_key"',
        without: 'CREATE INDEX "DropClaim_dropId_member_key"',
      },
    ],
    test: 'test/tipping/drops/drops.test.ts',
    named: 'fault 22:',
  },
  {
    fault: '23',
    holds: 'an invoice for another amount than was asked for is not shown',
    places: [
      {
        file: 'src/tipping/invoices/create-invoice.ts',
        text: 'data.amount !== amount || amountOf(data.invoiceRequest) !== amount',
        without: 'amount < 0n',
      },
    ],
    test: 'test/tipping/invoices.test.ts',
    named: 'fault 23:',
  },
  {
    fault: '24',
    holds: 'no more shares are taken than there are',
    places: [
      {
        file: CLAIM_DROP,
        text: "if (!drop.draw && drop.claimed >= drop.shares) throw new TippingRefusal('drop-empty', {})\n  if (drop.state !== 'open')",
        without: 'if (drop.id === null)',
      },
      {
        file: DROP_TABLES,
        text: '"claimed" BETWEEN 0 AND "shares"',
        without: '"claimed" >= 0',
      },
      ...OVERDRAWN,
    ],
    test: 'test/tipping/drops/drops.test.ts',
    named: 'fault 24:',
  },
  {
    fault: '26',
    holds: 'a disk that cannot be written is told from a command that is wrong',
    places: [
      {
        file: 'src/ledger/write-batch.ts',
        text: 'return isUnavailable(error) ? new LedgerUnavailable(error) : error',
        without: 'return error',
      },
      {
        file: 'src/ledger/write-batch.ts',
        text: 'throw isFaultOfChange(error) ? error : new LedgerUnavailable(error)',
        without: 'throw error',
      },
    ],
    test: 'test/reliability/bot-on-a-sick-disk.test.ts',
    named: 'fault 26,',
  },
  {
    fault: '26',
    holds: 'what was learned of a payout is written down as soon as the disk allows it',
    places: [
      {
        file: 'src/tipping/core/commit-end.ts',
        text: '(error: unknown) => error instanceof LedgerUnavailable || isUnavailable(error)',
        without: '(_: unknown) => false',
      },
    ],
    test: 'test/tipping/audit/audit.test.ts',
    named: 'fault 26:',
  },
  {
    fault: 'provider-is-no-database',
    holds: 'a provider that is away is not taken for the database, and asked without end',
    places: [
      {
        file: 'src/tipping/core/commit-end.ts',
        text: '!(error instanceof PaymentsError) && isAway(error)',
        without: 'isAway(error)',
      },
    ],
    test: 'test/tipping/send-outgoing.test.ts',
    named: 'is not tried again',
  },
  {
    fault: '27',
    holds: 'an invoice is shown when the gamertag still belongs to whom it is for',
    places: [
      { file: 'src/tipping/invoices/create-invoice.ts', text: 'owner !== link.lightningId', without: "owner === ''" },
    ],
    test: 'test/tipping/invoices.test.ts',
    named: 'fault 27:',
  },
  {
    fault: '30',
    holds: 'only the record of the called address is read, whatever the callback says',
    places: [
      {
        file: READ_CHARGE,
        text: 'const reading = await readCharge(context, kind, record)',
        without: `const chargeId = JSON.parse(job.said ?? '{}').id ?? record.chargeId
  const reading = await readCharge(context, kind, { ...record, chargeId })`,
      },
      {
        file: READ_CHARGE,
        text: OTHER_CHARGE,
        without: 'data.slots > maxSlots',
      },
    ],
    test: DEPOSITS,
    named: 'fault 30:',
  },
  {
    fault: '30',
    holds: 'a charge that is not what was asked for credits nothing',
    places: [
      {
        file: READ_CHARGE,
        text: OTHER_CHARGE,
        without: 'data.slots < 0',
      },
    ],
    test: DEPOSITS,
    named: 'fault 30:',
  },
  {
    fault: '31',
    holds: 'a Lightning account has one share of a drop, no matter who holds it',
    places: [{ file: CLAIM_DROP, text: 'return link?.lightningId ?? null', without: 'return link && null' }],
    test: 'test/tipping/drops/drops.test.ts',
    named: 'fault 31:',
  },
  {
    fault: '32',
    holds: 'a payment hash is withdrawn once at a time',
    places: [
      {
        file: 'prisma/tipping/migrations/20261121000010_withdrawals/migration.sql',
        text: 'CREATE UNIQUE INDEX "Withdrawal_paymentHash_live"',
        without: 'CREATE INDEX "Withdrawal_paymentHash_live"',
      },
      {
        file: 'src/tipping/withdrawals/conditions.ts',
        text: "if (other !== null) throw new TippingRefusal('invoice-taken', {})",
        without: '',
      },
    ],
    test: 'test/tipping/withdrawals/withdrawals.test.ts',
    named: 'of one payment hash leaves once',
  },
  {
    fault: 'clocks that are set',
    holds: 'nothing expires by a clock that was just set',
    places: [
      {
        file: 'src/lib/clock-watch.ts',
        text: 'if (Math.abs(current - offset) > toleranceMs)',
        without: 'if (toleranceMs < 0)',
      },
    ],
    test: CLOCKS,
    named: 'the bot, while the wall clock is set',
  },
  {
    fault: 'HTML, half an answer, a redirect, none',
    holds: 'an answer without the shape of an error proves nothing',
    places: [
      {
        file: 'src/payments-api/errors.ts',
        text: 'if (shape === undefined) return false',
        without: 'if (shape === undefined) return true',
      },
    ],
    test: 'test/payments-api/client.test.ts',
    named: 'a failure leaves it unknown',
  },
  {
    fault: 'one operator alone',
    holds: 'two different operators decide',
    places: [
      {
        file: 'src/tipping/adjustments/decide-payment.ts',
        text: 'open.proposedBy === operator',
        without: "operator === ''",
      },
    ],
    test: 'test/tipping/adjustments/decisions.test.ts',
    named: 'is decided by two different operators',
  },
  {
    fault: 'one operator alone',
    holds: 'a booking that is asked for twice at once is proposed once',
    places: [
      {
        file: 'src/tipping/adjustments/adjust-books.ts',
        text: '      if ((await tx.booking.findFirst({ where: openProposal(context, asked) })) !== null) return false\n',
        without: '',
      },
    ],
    test: 'test/tipping/adjustments/adjust-books.test.ts',
    named: 'is proposed once by a command that comes twice at once',
  },
]
