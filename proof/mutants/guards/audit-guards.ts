import type { Guard } from './guard.ts'

const SWITCH = 'src/tipping/machines/outgoing/outgoing-payments-switch.ts'
const CONSEQUENCES = 'src/tipping/audit/act-on-audit.ts'
const OPEN_WITHDRAWALS = 'src/tipping/withdrawals/open-withdrawals.ts'
const AUDITS_TEST = 'test/tipping/two-bots/audits.test.ts'

/** What keeps an audit, or an operator, from undoing what another one has found or said since. */
export const AUDIT_GUARDS: readonly Guard[] = [
  {
    fault: 'reserved-for-nobody',
    holds: 'a provider whose clock has jumped may keep back a code that time alone has ended, which is no loss',
    places: [
      { file: OPEN_WITHDRAWALS, text: ' + (_sum.amount ?? 0n) + (_sum.feeLimit ?? 0n), open }', without: ', open }' },
    ],
    test: 'test/tipping/withdrawals/withdrawals.test.ts',
    named: 'may cost the wallet its sats for a week more',
  },
  {
    fault: 'old-audit',
    holds: 'an audit ends no pause that was said since it began',
    places: [
      {
        file: CONSEQUENCES,
        text: "await context.outgoingSwitch.resume(context, 'cover', inForce)",
        without: "await context.outgoingSwitch.resume(context, 'cover', await context.outgoingSwitch.inForce(context))",
      },
    ],
    test: AUDITS_TEST,
    named: 'and not by an audit that began before it',
  },
  {
    fault: 'old-audit',
    holds: 'a pause that another audit finds right again is another pause',
    places: [
      {
        file: SWITCH,
        text: 'if (before !== null) await tx.outgoingPause.delete({ where: { id: before.id } })',
        without:
          'if (before !== null) return void (await tx.outgoingPause.update({ where: { id: before.id }, data: { reason } }))',
      },
    ],
    test: AUDITS_TEST,
    named: 'nor by one that began before another one has found the same again',
  },
  {
    fault: 'old-audit',
    holds: 'a pause is ended by somebody who knows of it',
    places: [
      {
        file: SWITCH,
        text: 'where: { id, until: null }, data: { until } }),',
        without: 'where: { id: { gte: id }, until: null }, data: { until } }),',
      },
    ],
    test: 'test/tipping/outgoing-switch.test.ts',
    named: 'ends the pause that was in force then',
  },
  {
    fault: 'old-audit',
    holds: 'of several bots, one books a surplus',
    places: [
      { file: CONSEQUENCES, text: 'surplus <= 0n || fence === undefined', without: 'surplus <= 0n' },
      { file: CONSEQUENCES, text: "        await leases.assertIn(tx, 'upkeep', fence)\n", without: '' },
      { file: CONSEQUENCES, text: 'const left = most - (arrived - journal.arrived)', without: 'const left = most' },
      {
        file: CONSEQUENCES,
        text: "        if ((await arrivedSince(tx, journal.lastEntry)) !== arrived) throw new Overtaken('more has arrived')\n",
        without: '',
      },
    ],
    test: AUDITS_TEST,
    named: 'books what the wallet holds too much',
  },
  {
    fault: 'old-audit',
    holds: 'a sign of a surplus is forgotten with the lease under which it was seen',
    places: [
      {
        file: CONSEQUENCES,
        text: 'this.#surplus?.fence === fence ? this.#surplus : undefined',
        without: 'this.#surplus',
      },
    ],
    test: AUDITS_TEST,
    named: 'believes in a surplus only what it has seen',
  },
  {
    fault: 'old-audit',
    holds: 'what was booked or credited since an audit read the wallet is no surplus',
    places: [
      { file: CONSEQUENCES, text: 'const left = most - (arrived - journal.arrived)', without: 'const left = most' },
    ],
    test: AUDITS_TEST,
    named: 'books no surplus that operators book',
  },
  {
    fault: 'two-services',
    holds: 'a book gets no other node while a service works on it',
    places: [
      {
        file: 'src/payments-service/administration/adopt-node.ts',
        text: 'if (someWorkIn(await tx.lease.findMany({ where: OF_PROCESSES }))) {',
        without: 'if (someWorkIn([])) {',
      },
    ],
    test: 'test/payments-service/two-services/adopt-node.test.ts',
    named: 'it would go on with the one that it knows',
  },
  {
    fault: 'two-services',
    holds: 'a service that starts while the command waits is seen, too',
    places: [
      {
        file: 'src/lib/beside-others.ts',
        text: '!seen.some((row) => row.name === name && row.fence === fence)',
        without: 'seen.some((row) => row.name === name && row.fence !== fence)',
      },
    ],
    test: 'test/payments-service/two-services/adopt-node.test.ts',
    named: 'nor while one starts',
  },
  {
    fault: 'two-bots',
    holds: 'a bot writes nothing of what it heard of somebody before another bot deleted it',
    places: [
      {
        file: 'src/tipping/rain/presence.ts',
        text: '    if (at <= (since.get(member) ?? Number.NEGATIVE_INFINITY)) continue\n',
        without: '',
      },
    ],
    test: 'test/tipping/two-bots/presence.test.ts',
    named: 'one bot writes nothing of what it heard',
  },
]
