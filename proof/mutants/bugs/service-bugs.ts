import type { KnownBug } from './known-bug.ts'

const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const PAYOUTS = 'src/payments-service/machines/sending/payouts.ts'
const RESOLVER = 'src/payments-service/machines/sending/resolver.ts'
const KEYSEND = 'src/payments-service/payments/pay-keysend.ts'
const INSIDE = 'src/payments-service/payments/pay-invoice.ts'
const GAMERTAG = 'src/payments-service/operations/pay-to-gamertag.ts'
const PAY_USER = 'src/payments-service/users/gamertag-payment.ts'
const SETTLEMENTS = 'src/payments-service/receiving/settlement-consumer.ts'
const SETTLE = 'src/payments-service/receiving/settle-invoice.ts'
const STATIC = 'src/payments-service/receiving/static-charge.ts'
const CHARGE = 'src/payments-service/operations/create-gamertag-charge.ts'
const REQUEST = 'src/payments-service/operations/create-withdrawal-request.ts'
const CLAIM = 'src/payments-service/withdrawal-requests/claim-withdrawal-request.ts'
const EXPIRE = 'src/payments-service/withdrawal-requests/expire-withdrawal-requests.ts'
const READ_PAYABLE = 'src/payments-service/payments/read-payable.ts'
const FEE_LIMIT = 'src/payments-service/payments/fee-limit.ts'
const SEND_PAGE = 'src/payments-service/wallet-page/send-page.ts'
const RECEIVE_PAGE = 'src/payments-service/wallet-page/receive-page.ts'

/** Mistakes of the payments service. */
export const SERVICE_BUGS: readonly KnownBug[] = [
  {
    id: 'service-whole-fee-limit',
    does: 'charges payers the whole fee limit of a payment, and says that it was the fee',
    places: [
      {
        file: FINISH,
        text: '{ from: held, to: unspentFeeTo(payment), amount: msats(payment.maxFee - fee) }',
        instead: '{ from: held, to: OPERATOR, amount: msats(payment.maxFee - fee) }',
      },
      {
        file: FINISH,
        text: "payment: { status: 'completed', fee, preimage",
        instead: "payment: { status: 'completed', fee: payment.maxFee, preimage",
      },
      {
        file: FINISH,
        text: "request: { status: 'completed', fee }",
        instead: "request: { status: 'completed', fee: payment.maxFee }",
      },
    ],
  },
  {
    id: 'service-fee-rounded-up',
    does: 'rounds the fee that the network took up to whole sats, and keeps the rest',
    places: [
      {
        file: FINISH,
        text: 'const { fee, untold, excess } = shareFee(parts, payment, outcome.fee)',
        instead: `const { fee: exact, untold, excess } = shareFee(parts, payment, outcome.fee)
  const whole = ((exact + 999n) / 1_000n) * 1_000n
  const fee = msats(whole > payment.maxFee ? exact : whole)`,
      },
      {
        file: FINISH,
        text: '{ from: held, to: NODE, amount: msats(payment.amount + fee - untold) },',
        instead: `{ from: held, to: NODE, amount: msats(payment.amount + exact - untold) },
      { from: held, to: OPERATOR, amount: msats(fee - exact) },`,
      },
    ],
  },
  {
    id: 'service-unknown-is-failed',
    does: 'gives a payment back of which the node does not know what became',
    places: [
      {
        file: PAYOUTS,
        text: '} else await this.#resolver.adopt(payment.id, outcome.evidence)',
        instead:
          "} else await finishPayment(this.#parts, payment.id, { state: 'failed', code: 'no_route', evidence: '', reason: '' } as never)",
      },
    ],
  },
  {
    id: 'service-absent-is-believed-at-once',
    does: 'gives a payment back as soon as the node says once that it has no record of it',
    places: [
      { file: RESOLVER, text: 'if (now - since < CONFIRM_ABSENCE_AFTER_MS) return undefined', instead: '' },
      {
        file: RESOLVER,
        text: 'if (isOpen || this.#isSending(payment.id)) return this.#notAbsent(payment)',
        instead: 'if (isOpen) return this.#notAbsent(payment)',
      },
    ],
  },
  {
    id: 'service-keysend-a-sat-more',
    does: 'has the node send a sat more than was asked for by keysend',
    places: [
      {
        file: PAYOUTS,
        text: '      amount: msats(payment.amount),\n      maxFee,',
        instead: '      amount: msats(payment.amount + 1_000n),\n      maxFee,',
      },
    ],
  },
  {
    id: 'service-keysend-tenfold-limit',
    does: 'allows ten times the fee for a keysend payment',
    places: [
      {
        file: KEYSEND,
        text: 'const maxFee = feeLimitOf(parts, request.amount, request.maxFee)',
        instead: 'const maxFee = (10n * feeLimitOf(parts, request.amount, request.maxFee)) as Msats',
      },
    ],
  },
  {
    id: 'service-inside-to-operator',
    does: 'gives the operator a sat of what is paid from wallet to wallet by an invoice',
    places: [
      {
        file: INSIDE,
        text: "import { type Holder, wallet } from '../core/chart-of-accounts.ts'",
        instead: "import { type Holder, OPERATOR, wallet } from '../core/chart-of-accounts.ts'",
      },
      {
        file: INSIDE,
        text: 'moves: [{ from: wallet(payer), to: settlement.payee, amount: settlement.amount }]',
        instead:
          'moves: [{ from: wallet(payer), to: settlement.payee, amount: msats(settlement.amount - 1n) }, { from: wallet(payer), to: OPERATOR, amount: msats(1n) }]',
      },
    ],
  },
  {
    id: 'service-gamertag-of-another',
    does: 'pays one payment in 20 to a gamertag to another user, and says that it was the right one',
    places: [
      {
        file: GAMERTAG,
        text: '{ receiverId, amount: body.amount, comment: body.description },',
        instead:
          '{ receiverId: body.amount % 20_000n === 0n ? ((await parts.database.read.user.findFirst({ where: { id: { not: receiverId } } }))?.id ?? receiverId) : receiverId, amount: body.amount, comment: body.description },',
      },
    ],
  },
  {
    id: 'service-gamertag-receiver-ignored',
    does: 'pays the present owner of a gamertag, though the payer named the account that it is for',
    places: [
      {
        file: GAMERTAG,
        text: 'if (body.receiverId !== undefined && body.receiverId !== receiverId) {',
        instead: 'if (body.receiverId === "") {',
      },
    ],
  },
  {
    id: 'service-user-pays-a-fee',
    does: 'takes a sat from users who pay another user, though that costs nothing',
    places: [
      {
        file: PAY_USER,
        text: "import { type Holder, wallet } from '../core/chart-of-accounts.ts'",
        instead: "import { FEE_INCOME, type Holder, wallet } from '../core/chart-of-accounts.ts'",
      },
      {
        file: PAY_USER,
        text: 'const moves = [{ from: wallet(payer), to: wallet(receiver), amount: to.amount }]',
        instead:
          "const moves = [{ from: wallet(payer), to: wallet(receiver), amount: to.amount }, { from: wallet(payer), to: FEE_INCOME, amount: (payer.kind === 'user' ? 1_000n : 0n) as Msats }]",
      },
    ],
  },
  {
    id: 'service-second-settlement-lost',
    does: 'forgets what the node received for an invoice that was paid before',
    places: [
      {
        file: SETTLEMENTS,
        text: '  const reason = suspicion(settlement, invoice)\n',
        instead:
          "  const reason = suspicion(settlement, invoice)\n  if (reason === 'second settlement') return saveCursor(parts, settlement)\n",
      },
    ],
  },
  {
    id: 'service-second-settlement-credited',
    does: 'credits what the node received for an invoice that was paid inside before to its payee as well',
    places: [
      {
        file: SETTLEMENTS,
        text: "entries: [{ operation, step: 'post', moves: [{ from: NODE, to: SUSPENSE, amount: received }] }],",
        instead:
          "entries: [{ operation, step: 'post', moves: [{ from: NODE, to: reason === 'second settlement' ? payeeAccount(await parts.database.read.invoice.findUniqueOrThrow({ where: { paymentHash } })) : SUSPENSE, amount: received }] }],",
      },
    ],
  },
  {
    id: 'service-late-invoice-is-refused',
    does: 'lets a wallet of the service pay an invoice whose time is over, and its payee gets nothing',
    places: [
      {
        file: READ_PAYABLE,
        text: 'if (isExpired(invoice, parts.clock.now())) {',
        instead: "if (text === '') {",
      },
      {
        file: SETTLE,
        text: "{ status: 'open', expiresAt: { gt: settledAt } }",
        instead: "{ status: { not: 'settled' } }",
      },
    ],
  },
  {
    id: 'service-charge-slot-not-counted',
    does: 'does not count one payment in 10 of a static charge',
    places: [
      {
        file: STATIC,
        text: 'data: { slots: { increment: 1 } } })',
        instead: 'data: { slots: { increment: receipt.amount % 10_000n === 0n ? 0 : 1 } } })',
      },
    ],
  },
  {
    id: 'service-charge-for-another',
    does: 'makes one charge in 10 for a gamertag credit another user',
    places: [
      {
        file: CHARGE,
        text: 'const userId = await parts.names.userId(body.gamertag)',
        instead:
          'const named = await parts.names.userId(body.gamertag)\n    const userId = body.amount % 10_000n === 0n ? ((await parts.database.read.user.findFirst({ where: { id: { not: named } } }))?.id ?? named) : named',
      },
    ],
  },
  {
    id: 'service-request-expires-early',
    does: 'lets codes to withdraw by end after half of the time that was asked for',
    places: [
      { file: REQUEST, text: 'DEFAULT_EXPIRES_IN_SECONDS) * 1_000)', instead: 'DEFAULT_EXPIRES_IN_SECONDS) * 500)' },
    ],
  },
  {
    id: 'service-request-fee-kept',
    does: 'keeps the fee limit of a code that nobody scanned in time',
    places: [
      {
        file: EXPIRE,
        text: "import { inFlight, wallet } from '../core/chart-of-accounts.ts'",
        instead: "import { inFlight, OPERATOR, wallet } from '../core/chart-of-accounts.ts'",
      },
      {
        file: EXPIRE,
        text: 'moves: [{ from: inFlight(payer), to: wallet(payer), amount: msats(request.amount + request.maxFee) }],',
        instead:
          'moves: [{ from: inFlight(payer), to: wallet(payer), amount: msats(request.amount) }, { from: inFlight(payer), to: OPERATOR, amount: msats(request.maxFee) }],',
      },
    ],
  },
  {
    id: 'service-claim-inside-fee-kept',
    does: 'charges the whole fee limit for a code that is claimed by an invoice of the service itself',
    places: [
      {
        file: CLAIM,
        text: "import { type Holder, inFlight, wallet } from '../core/chart-of-accounts.ts'",
        instead: "import { type Holder, inFlight, OPERATOR, wallet } from '../core/chart-of-accounts.ts'",
      },
      {
        file: CLAIM,
        text: '{ from: inFlight(payer), to: wallet(payer), amount: msats(request.maxFee) }',
        instead: '{ from: inFlight(payer), to: OPERATOR, amount: msats(request.maxFee) }',
      },
    ],
  },
  {
    id: 'page-sends-tenfold',
    does: 'sends ten times the amount that a user confirmed on the wallet page, for less than 20 sats',
    places: [
      {
        file: SEND_PAGE,
        text: '  await readUser(parts, receiverId)\n',
        instead:
          '  await readUser(parts, receiverId)\n  const whole = msats(amount < 20_000n ? amount * 10n : amount)\n',
      },
      { file: SEND_PAGE, text: '{ receiverId, amount, comment })', instead: '{ receiverId, amount: whole, comment })' },
    ],
  },
  {
    id: 'page-asks-for-less',
    does: 'makes an invoice on the wallet page for a sat less than was typed',
    places: [
      {
        file: RECEIVE_PAGE,
        text: "const amount = readTypedAmount(form.get('amount') ?? '', undefined)",
        instead:
          "const typed = readTypedAmount(form.get('amount') ?? '', undefined)\n  const amount = (typed > 1_000n ? typed - 1_000n : typed) as typeof typed",
      },
    ],
  },
  {
    id: 'service-limit-of-payer-ignored',
    does: 'lets a payment cost what is usual where its payer has allowed less',
    places: [
      {
        file: FEE_LIMIT,
        text: "if (parts.backend.capabilities.feeLimit === 'exact') return maxFee",
        instead: "if (parts.backend.capabilities.feeLimit === 'exact') return maxFee > usual ? maxFee : usual",
      },
    ],
  },
  {
    id: 'page-sends-to-another',
    does: 'sends one payment in 5 of the wallet page to another user than the one who was confirmed',
    places: [
      {
        file: SEND_PAGE,
        text: '  await readUser(parts, receiverId)\n',
        instead:
          '  await readUser(parts, receiverId)\n  const other = await parts.database.read.user.findFirst({ where: { id: { notIn: [receiverId, user.id] } } })\n  const whom = amount % 5_000n === 0n ? (other?.id ?? receiverId) : receiverId\n',
      },
      {
        file: SEND_PAGE,
        text: '{ receiverId, amount, comment })',
        instead: '{ receiverId: whom, amount, comment })',
      },
    ],
  },
]
