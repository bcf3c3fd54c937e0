import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { ServerPreferences } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
})
const change = (chosen: Partial<ServerPreferences>, member = 'owner') =>
  world.tipping.preferences.changeServer({ guild, member, change: chosen })
const budget = (amount: string) =>
  world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount, period: 'month' })

/** Returns the entries in the log's channels, oldest first, whether or not their cards were shown. */
async function told() {
  const cards = await world.database.read.card.findMany({ where: { kind: 'moderation-log' } })
  const changes = cards.map(async ({ channel, record, guild: server }) => {
    const { member, action } = await world.tipping.insights.changeOfCard(record)
    return { entry: Number(record.split(' ')[0]), text: `${channel}: ${member} ${action}`, server }
  })
  return (await Promise.all(changes)).toSorted((one, other) => one.entry - other.entry)
}
const texts = async () => (await told()).map(({ text }) => text)

describe('the channel of the moderation log', () => {
  it('gets each entry once, starting with the entry about its own selection', async () => {
    await budget('800')
    expect(await told()).toEqual([])
    await change({ logChannel: 'log' })
    await budget('900')
    expect(await texts()).toEqual(['log: owner setting', 'log: owner budget'])
    expect((await told()).map(({ server }) => server)).toEqual([guild, guild])
  })

  it('gets the entry about its replacement, as does the new channel', async () => {
    await change({ logChannel: 'log' })
    await change({ logChannel: 'other' }, 'rogue')
    expect((await texts()).slice(1).toSorted()).toEqual(['log: rogue setting', 'other: rogue setting'])
    await change({ logChannel: undefined }, 'rogue')
    expect((await texts()).slice(3)).toEqual(['other: rogue setting'])
    await budget('900')
    expect(await told()).toHaveLength(4)
  })

  it('gets nothing from another server', async () => {
    await change({ logChannel: 'log' })
    await world.tipping.preferences.changeServer({ guild: 'elsewhere', member: 'mod', change: { noLinks: true } })
    expect(await texts()).toEqual(['log: owner setting'])
  })

  it('gets one entry even if the process dies during the action, and none if it fails', async () => {
    await change({ logChannel: 'log' })
    for (const moment of ['before', 'after'] as const) {
      const died = world.dieAtCommit(1, moment)
      void budget('700')
      await died
      await world.reborn()
    }
    expect(await texts()).toEqual(['log: owner setting', 'log: owner budget'])
    const pending = await world.tipping.cards.pending(10)
    expect(pending.map(({ kind }) => kind)).toEqual(['moderation-log', 'moderation-log'])
  })

  it('does not show a rule’s rewards or their returns', async () => {
    await world.fund('giver', 1_000)
    await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
    await budget('800')
    await change({ logChannel: 'log' })
    const { interaction } = world.origin()
    const terms = { recipe: 'good-post', amount: '10', budget: '100', reason: 'good', trial: false } as const
    await world.tipping.rules.create({ guild, member: 'mod', ...terms, interaction })
    const rewards = await world.run(
      world.tipping.rules.heard({
        ...{ guild, channel: 'channel', locale: 'en', recipient: { id: 'bob', bot: false } },
        what: { kind: 'reaction', emoji: '🏅', message: 'm', by: 'mod' },
        facts: async () => ({ accountSince: new Date(0), memberSince: new Date(0), roles: [] }),
        moderator: async () => ['mods'],
      }),
    )
    expect(rewards).toHaveLength(1)
    await world.leap(31 * 24 * 3_600_000)
    const [returned] = await world.tipping.insights.changes(guild, 1)
    expect(returned).toMatchObject({ action: 'pool-return', amount: sats(10) })
    expect(await texts()).toEqual(['log: owner setting', 'log: mod rule'])
  })
})

describe('an entry of the moderation log', () => {
  it('shows the values of chosen settings, and names removed settings', async () => {
    await change({ largestTip: sats(100), noLinks: true })
    await change({ largestTip: undefined })
    const [taken, chosen] = await world.tipping.insights.changes(guild, 5)
    expect(chosen?.settings).toEqual({ largestTip: sats(100), noLinks: true })
    expect(taken?.settings).toEqual({ largestTip: undefined })
    expect(Object.keys(taken?.settings ?? {})).toEqual(['largestTip'])
  })

  it('names the rule or schedule that was stopped', async () => {
    const made = await world.tipping.schedules.create({
      ...{ guild, channel: 'channel', member: 'mod', what: 'drop', amount: '100', people: 2, minutes: 30 },
      ...{ reason: 'friday', weekday: 5, time: '18:00', times: 4, interaction: world.origin().interaction },
    })
    await world.tipping.schedules.stop({ schedule: made.id, guild, member: 'other' })
    const terms = { recipe: 'good-post', amount: '10', budget: '100', reason: 'good', trial: false } as const
    const { id } = await world.tipping.rules.create({ ...world.origin(), guild, member: 'mod', ...terms })
    await world.tipping.rules.stop({ rule: id, guild, member: 'other' })
    const [rule, , schedule] = await world.tipping.insights.changes(guild, 3)
    expect(schedule).toMatchObject({ member: 'other', action: 'schedule-stopped', amount: sats(100), reason: 'friday' })
    expect(rule).toMatchObject({ member: 'other', action: 'rule-stopped', amount: sats(10), reason: 'good' })
  })
})
