import { expect, it } from 'vitest'
import { Statements, scansOf } from '../support/query-plans.ts'
import { aliceHasSome } from './funded-world.ts'

/** The tables that grow with every gift. */
const GROWING = [
  'Move',
  'Entry',
  'Tip',
  'TipShare',
  'Payout',
  'Withdrawal',
  'Deposit',
  'Invoice',
  'Operation',
  'Card',
  'Claim',
  'GiftDay',
  'GiftMonth',
]

/** The statements that read a table in order, and stop at the first row. */
const STOP_AT_ONE = [
  // Whether the book has begun, and its last entry.
  /^Entry: SELECT .* WHERE 1=1 (ORDER BY \S+ DESC )?LIMIT/,
  // Which network's sats they are, as long as nobody has said so.
  /^Invoice: SELECT .* WHERE \S+ IS NOT NULL LIMIT/,
]

/** The audit's statements, which read all sums in the order of an index. */
const READ_WHOLE = [/^Gift(Day|Month): SELECT .* FROM "Gift\w+" ORDER BY "guild", "(day|month)"$/]

it('no command, card, picker or poll of the bot reads the whole of a growing table', async () => {
  const statements = new Statements()
  const world = await aliceHasSome()
  try {
    await world.linked('bob')
    const { tipping } = world
    const { id: tip } = await world.tip('alice', 'bob', '10')
    await world.tip('alice', 'newcomer', '20')
    await world.settle()
    await tipping.tips.view(tip)
    await tipping.claims.hasUnclaimed('newcomer')
    await tipping.claims.take({ member: 'newcomer', origin: world.origin() } as never).catch(() => undefined)
    for (const member of ['alice', 'bob', 'newcomer']) {
      await tipping.balances.view(member)
      await tipping.history.page(member, 0)
      await tipping.history.page(member, 1)
      await tipping.history.operations(member)
      await tipping.history.export(member)
      await tipping.vouchers.mine(member, 25)
      await tipping.drops.mine(member, 25)
      await tipping.addresses.mine(member)
      await tipping.privacy.export(member)
      await tipping.privacy.open(member)
    }
    const guild = world.origin().guild ?? 'guild'
    for (const span of ['day', 'week', 'month', 'year'] as const) {
      await tipping.insights.leaderboard(guild, span)
      await tipping.insights.stats(guild, span)
    }
    await tipping.insights.drops(guild, () => true)
    await tipping.pools.view(guild)
    await tipping.pools.history(guild, new Date(0))
    await tipping.administration.status()
    await tipping.administration.overview()
    await tipping.administration.unknown(25)
    await tipping.administration.untoldAlerts(25)
    await world.pass(3_600_000)
    statements.end()
    const scans = await scansOf(world.database, statements, GROWING)
    expect(scans.filter((scan) => ![...STOP_AT_ONE, ...READ_WHOLE].some((known) => known.test(scan)))).toEqual([])
  } finally {
    statements.end()
    await world.close()
  }
})
