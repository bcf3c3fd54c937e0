import type { Guard } from './guard.ts'

const LEASES = 'src/lib/leases.ts'
const RESOLVER = 'src/payments-service/machines/sending/resolver.ts'
const PAYOUTS = 'src/payments-service/machines/sending/payouts.ts'
const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const IDEMPOTENCY = 'src/payments-service/machines/http/idempotency.ts'
const CONSUMER = 'src/payments-service/receiving/settlement-consumer.ts'
const OUTBOX = 'src/payments-service/machines/outbox/outbox.ts'
const LEASES_TEST = 'test/lib/leases.test.ts'
const SERVICES_TEST = 'test/payments-service/two-services/at-once.test.ts'
const SEND = 'src/tipping/machines/outgoing/send-outgoing.ts'
const RECORD = 'src/tipping/machines/outgoing/record-outcome.ts'
const BOTS_TEST = 'test/tipping/two-bots/two-bots.test.ts'
const PAYMENTS_TEST = 'test/payments-service/two-services/payments.test.ts'

/** What keeps several processes on one book from doing each other's work, or undoing it. */
export const LEASE_GUARDS: readonly Guard[] = [
  {
    fault: 'two-services',
    holds: 'a service that is started again has at once what its predecessor had',
    places: [
      {
        file: 'src/payments-service/core/leases.ts',
        text: '...(last !== undefined && { last }),',
        without: '...(last === null && { last }),',
      },
    ],
    test: 'test/payments-service/two-services/payments.test.ts',
    named: 'goes on at once with what the one before it had',
  },
  {
    fault: 'two-services',
    holds: 'what a living neighbour has open is not taken over',
    places: [
      {
        file: RESOLVER,
        text: 'OR: [{ sender: null }, { sender: { notIn: await leases.livingIn(tx) } }],',
        without: 'OR: [{ sender: null }, { sender: { not: leases.holder } }],',
      },
    ],
    test: PAYMENTS_TEST,
    named: 'that a neighbour is sending',
  },
  {
    fault: 'two-services',
    holds:
      'a lease is not ignored: only the process that has a payment looks it up, gives it back, or says that it failed',
    places: [
      {
        file: RESOLVER,
        text: 'return { status: { in: OPEN_STATES }, sender: this.#parts.leases.holder }',
        without: 'return { status: { in: OPEN_STATES } }',
      },
      { file: FINISH, text: '    sender: parts.leases.holder,\n', without: '' },
    ],
    test: PAYMENTS_TEST,
    named: 'that a neighbour is sending',
  },
  {
    fault: 'two-services',
    holds: 'a process says nothing of a payment that another has taken over',
    places: [{ file: FINISH, text: '    sender: parts.leases.holder,\n', without: '' }],
    test: PAYMENTS_TEST,
    named: 'says nothing of a payment that another one has taken over',
  },
  {
    fault: 'two-services',
    holds: 'a process marks only what it has',
    places: [
      {
        file: PAYOUTS,
        text: "where: { id, status: 'held', sender: leases.holder },",
        without: "where: { id, status: 'held' },",
      },
    ],
    test: PAYMENTS_TEST,
    named: 'nor what has another holder',
  },
  {
    fault: 'two-services',
    holds: 'a process whose lease is gone marks nothing',
    places: [{ file: PAYOUTS, text: '        await leases.assertIn(tx)\n', without: '' }],
    test: PAYMENTS_TEST,
    named: 'cannot mark anything once its lease is gone',
  },
  {
    fault: 'two-services',
    holds: 'a process that was frozen since it marked a payment does not send it',
    places: [
      { file: PAYOUTS, text: 'if (!this.#parts.leases.isLive()) return {', without: 'if (this.#closed) return {' },
    ],
    test: PAYMENTS_TEST,
    named: 'between mark and call asks the node for nothing',
  },
  {
    fault: 'two-services',
    holds: 'a process that cannot renew its lease sends nothing',
    places: [
      {
        file: PAYOUTS,
        text: "if (!this.#parts.leases.isLive()) throw nothingSent('The service has lost touch with its books')",
        without: '',
      },
    ],
    test: PAYMENTS_TEST,
    named: 'a neighbour that cannot reach its books',
  },
  {
    fault: 'two-services',
    holds: 'the call of a process that may only have been frozen is waited for before an absence is believed',
    places: [{ file: RESOLVER, text: '?? Number.NEGATIVE_INFINITY) < SENDER_TIMEOUT_MS', without: '?? 0) < -1' }],
    test: PAYMENTS_TEST,
    named: 'as long as the call of a frozen process may take',
  },
  {
    fault: 'two-services',
    holds: 'an absence counts only as long as the book says that nobody heard anything else',
    places: [
      {
        file: RESOLVER,
        text: '(payment.absentSince === null ? undefined : this.#absentSince.get(payment.id)) ?? now',
        without: 'this.#absentSince.get(payment.id) ?? now',
      },
    ],
    test: PAYMENTS_TEST,
    named: 'does not count an absence',
  },
  {
    fault: 'two-services',
    holds: 'a process is believed to live for half a minute after its last sign',
    places: [
      { file: LEASES, text: 'return now - seen.since >= this.#times.expiresMs', without: 'return now >= seen.since' },
    ],
    test: LEASES_TEST,
    named: 'is another’s once its process has been silent',
  },
  {
    fault: 'two-services',
    holds: 'a process that renewed its lease at the last moment keeps what it has',
    places: [
      {
        file: LEASES,
        text: 'await table.deleteMany({ where: { name, fence } })',
        without: 'await table.deleteMany({ where: { name } })',
      },
    ],
    test: LEASES_TEST,
    named: 'stays with one that was only slow',
  },
  {
    fault: 'two-services',
    holds: 'a process stops believing in its lease before another may take it',
    places: [
      { file: LEASES, text: 'return clock.monotonic() < this.#until.monotonic && ', without: 'return ' },
      { file: LEASES, text: 'clock.now() < this.#until.wall', without: 'clock.now() > 0' },
    ],
    test: LEASES_TEST,
    named: 'is believed in for a shorter time than the others wait',
  },
  {
    fault: 'two-services',
    holds: 'a machine that slept does not believe in its lease',
    places: [{ file: LEASES, text: ' && clock.now() < this.#until.wall', without: '' }],
    test: LEASES_TEST,
    named: 'is not believed in by a machine that slept',
  },
  {
    fault: 'two-services',
    holds: 'the database lets the fencing number of a lease only grow',
    places: [
      {
        file: 'prisma/payments/migrations/20261122000120_leases/migration.sql',
        text: 'WHEN NEW."fence" <= OLD."fence"',
        without: 'WHEN 0',
      },
    ],
    test: PAYMENTS_TEST,
    named: 'only grows: the database refuses anything else',
  },
  {
    fault: 'two-services',
    holds: 'a second service with the same key answers with what the first did, and not with an error',
    places: [
      {
        file: IDEMPOTENCY,
        text: 'commit().catch((error: unknown) => explain(error, name, { operation, body })),',
        without: 'commit(),',
      },
    ],
    test: SERVICES_TEST,
    named: 'one Idempotency-Key at two services',
  },
  {
    fault: 'two-services',
    holds: 'wrong codes are counted in the book: ten for a user, and not ten for each service',
    places: [
      {
        file: 'src/payments-service/machines/limits/wrong-codes.ts',
        text: 'await tx.wrongCode.create({ data: { guesser: limitOf(about).guesser, at } })',
        without: 'await tx.wrongCode.count()',
      },
    ],
    test: SERVICES_TEST,
    named: 'are counted for all services together',
  },
  {
    fault: 'two-services',
    holds: 'of many codes at the same moment the wrong ones before it count when the right one is used',
    places: [
      {
        file: 'src/payments-service/vouchers/end-voucher.ts',
        text: '      await parts.wrongCodes.refuseIn(tx, end.guesser)\n',
        without: '',
      },
    ],
    test: SERVICES_TEST,
    named: 'count before the right one among them',
  },
  {
    fault: 'two-services',
    holds: 'settlements are read by one service at a time',
    places: [
      {
        file: CONSUMER,
        text: "await parts.leases.untilHas('settlements', closing)",
        without: 'await Promise.resolve(new AbortController().signal)',
      },
    ],
    test: SERVICES_TEST,
    named: 'are read by one service',
  },
  {
    fault: 'two-services',
    holds: 'a service whose lease on settlements is gone moves no cursor',
    places: [{ file: CONSUMER, text: "  await leases.assertIn(tx, 'settlements')\n", without: '' }],
    test: SERVICES_TEST,
    named: 'only by the one whose job it is',
  },
  {
    fault: 'two-services',
    holds: 'the cursor of settlements does not go back',
    places: [
      { file: CONSUMER, text: 'if (saved !== null && !isLaterCursor(cursor, saved.value)) return', without: '' },
    ],
    test: SERVICES_TEST,
    named: 'move the cursor forward only',
  },
  {
    fault: 'two-services',
    holds: 'a callback is claimed before it is delivered',
    places: [
      {
        file: OUTBOX,
        text: 'const ours = leases.alone ? {} : { claimedBy: leases.holder }',
        without: 'const ours = {}',
      },
      {
        file: OUTBOX,
        text: 'if (leases.alone || callbacks.length === 0) return callbacks',
        without: 'if (leases.holder !== callbacks.length.toString()) return callbacks',
      },
    ],
    test: SERVICES_TEST,
    named: 'are delivered once',
  },
  {
    fault: 'two-services',
    holds: 'a callback that a living service delivers is no other’s',
    places: [
      {
        file: OUTBOX,
        text: 'return { OR: [{ claimedBy: null }, { claimedBy: { notIn: others } }] }',
        without: 'return others.length < 0 ? {} : {}',
      },
    ],
    test: SERVICES_TEST,
    named: 'of a service that is gone are delivered by another',
  },
  {
    fault: 'two-bots',
    holds: 'a bot leaves alone what a living neighbour has: a lease is not ignored',
    places: [
      {
        file: 'src/tipping/core/leases.ts',
        text: '{ process: { notIn: await leases.livingIn(tx) } }',
        without: '{ process: { notIn: [leases.holder] } }',
      },
    ],
    test: BOTS_TEST,
    named: 'is left to it by one that starts',
  },
  {
    fault: 'two-bots',
    holds: 'a bot whose lease is gone marks nothing as sending',
    places: [{ file: SEND, text: '      await context.leases.assertIn(tx)\n', without: '' }],
    test: BOTS_TEST,
    named: 'marks nothing once its lease is gone',
  },
  {
    fault: 'two-bots',
    holds: 'a bot that was frozen since it marked a payout does not send it',
    places: [{ file: SEND, text: 'if (!context.leases.isLive())', without: 'if (context.activity.closed)' }],
    test: BOTS_TEST,
    named: 'between mark and call sends nothing',
  },
  {
    fault: 'two-bots',
    holds: 'a bot does not say that something failed that another has taken over',
    places: [{ file: RECORD, text: '...(isFailure && { process }) }', without: '}' }],
    test: BOTS_TEST,
    named: 'does not call a payout failed',
  },
  {
    fault: 'two-bots',
    holds: 'one bot polls at a time, and the next one goes on when it is gone',
    places: [
      {
        file: 'src/tipping/machines/polling/poller.ts',
        text: "    if (!this.#leases.has('polls')) return\n",
        without: '',
      },
    ],
    test: BOTS_TEST,
    named: 'polls: a hint that another one took',
  },
  {
    fault: 'two-services',
    holds: 'a service that is to stop says so at /ready before it takes nothing new',
    places: [
      {
        file: 'src/payments-service/monitoring/monitoring.ts',
        text: "  app.get('/ready', async () => {\n    draining.assertNot()\n",
        without: "  app.get('/ready', async () => {\n",
      },
    ],
    test: 'test/payments-service/monitoring/monitoring.test.ts',
    named: 'say no for a while before a stop',
  },
  {
    fault: 'two-services',
    holds: 'nothing is done for an interaction by HTTP of which Discord knows no acknowledgement',
    places: [
      {
        file: 'src/bot/discord/http-interactions.ts',
        text: '      if (!MOVES_NOTHING.includes(response.type)) await confirm(waiting, { clock, webhooks })\n',
        without: '',
      },
    ],
    test: 'test/bot/http-interactions.test.ts',
    named: 'Discord knows of none',
  },
  {
    fault: 'two-services',
    holds: 'an interaction by HTTP is believed only if Discord has signed it',
    places: [
      {
        file: 'src/web/interactions.ts',
        text: "if (!verify(null, Buffer.from(timestamp + body), key, Buffer.from(signature, 'hex'))) throw forged()",
        without: 'void verify',
      },
    ],
    test: 'test/web/interactions.test.ts',
    named: 'refuses with 401 what Discord has not signed',
  },
]
