import type { Guard } from './guard.ts'

const LEASES = 'src/lib/leases.ts'
const RESOLVER = 'src/payments-service/machines/sending/resolver.ts'
const PAYOUTS = 'src/payments-service/machines/sending/payouts.ts'
const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const LEASES_TEST = 'test/lib/leases.test.ts'
const PAYMENTS_TEST = 'test/payments-service/two-services/payments.test.ts'

/** What keeps several processes on one book from doing each other's work, or undoing it. */
export const LEASE_GUARDS: readonly Guard[] = [
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
]
