import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { shareOut } from '../../../src/tipping/splits/pay-split.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
let world: TippingWorld

/**
 * Opens a world in which the pool has 100,000 sats, moderators have all of it to give, and more than 50,000 need a
 * second moderator.
 */
beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  await world.fund('giver', 100_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '100000', period: 'day' })
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(50_000) } })
  people.clear()
})
const MOD = '900000000000000001'
const SECOND = '900000000000000002'
const [ANN, BEN, CAT] = ['100000000000000001', '100000000000000002', '100000000000000003'] as const
const THREE = `<@${ANN}> 50 <@${BEN}> 30 <@${CAT}> 20`

/** The people who are not ordinary members: somebody who left, a bot, or a role's holder. */
const people = new Map<string, 'gone' | { readonly bot: boolean; readonly roles: readonly string[] }>()
const person = async (member: string) => {
  const known = people.get(member) ?? { bot: false, roles: [] }
  return known === 'gone' ? undefined : known
}
const memberIn = (word: string) => /^(?:<@!?)?(\d{18})>?$/.exec(word)?.[1]

const create = (parts: string, name = 'podcast', interaction = world.origin().interaction) =>
  world.tipping.splits.create({ guild, member: MOD, name, parts, memberIn, person, interaction })
const edit = (parts: string, split = 'podcast') =>
  world.tipping.splits.edit({
    guild,
    member: SECOND,
    split,
    parts,
    memberIn,
    person,
    interaction: world.origin().interaction,
  })
const pay = (amount: string, member = MOD, split = 'podcast', origin = world.origin()) =>
  world.tipping.splits.pay({ guild, member, split, amount, reason: 'episode 7', person, origin })
const confirm = (asked: string, member = MOD) =>
  world.run(world.tipping.rewards.confirmList({ asked, member, roles: ['mods'], person, origin: world.origin() }))
const approve = (reward: string, member = 'third') =>
  world.run(world.tipping.rewards.approve({ reward, member, person }))

const sharesOf = async () =>
  (await world.tipping.splits.list(guild)).map(({ name, parts }) => [name, ...parts.map(({ share }) => share)])
const available = async () => (await world.tipping.pools.view(guild)).available
const outcomes = async (reward: string) =>
  (await world.tipping.rewards.listOutcomes(reward)).map(({ recipient, address, amount, state }) => [
    ...[address ?? recipient, Number(amount / 1_000n), state],
  ])

describe('a split', () => {
  it.each([
    ['mentions and percentages', THREE],
    ['percentages with signs in front of the people', `50% <@${ANN}>, 30 % <@!${BEN}>; 20%${CAT}`],
    ['ids, colons and lines', `${ANN}: 50\n${BEN}: 30,\n${CAT} = 20%`],
    ['a comma right before an id', `${ANN} 50,${BEN} 30,${CAT} 20`],
    ['decimals of 0', `<@${ANN}>50.00 <@${BEN}>30,0 <@${CAT}>20`],
  ])('is read from %s', async (_what, parts) => {
    const { parts: read } = await create(parts)
    expect(read).toEqual([
      { recipient: ANN, address: undefined, share: 5_000 },
      { recipient: BEN, address: undefined, share: 3_000 },
      { recipient: CAT, address: undefined, share: 2_000 },
    ])
  })

  it('can have percentages with up to two decimals, after a comma or a point', async () => {
    await create(`<@${ANN}> 33,33 <@${BEN}> 33.33 <@${CAT}> 33.34`)
    expect(await sharesOf()).toEqual([['podcast', 3_333, 3_333, 3_334]])
  })

  it.each<[string, string, object]>([
    ['99 %', `${ANN} 50 ${BEN} 49`, { code: 'split-sum', facts: { sum: 99 } }],
    ['101 %', `${ANN} 50 ${BEN} 51`, { code: 'split-sum', facts: { sum: 101 } }],
    ['99.99 %', `${ANN} 50 ${BEN} 49.99`, { code: 'split-sum', facts: { sum: 99.99 } }],
    ['a part of 0 %', `${ANN} 100 ${BEN} 0`, { code: 'split-percent', facts: { text: '0' } }],
    ['a part below 0 %', `${ANN} 110 ${BEN} -10`, { code: 'split-percent' }],
    ['a part of 101 %', `${ANN} 101`, { code: 'split-percent', facts: { text: '101' } }],
    ['a third decimal', `${ANN} 50.005 ${BEN} 49.995`, { code: 'split-percent', facts: { text: '50.005' } }],
    ['the same person twice', `${ANN} 50 <@${ANN}> 50`, { code: 'split-twice', facts: { people: [ANN] } }],
    ['the same address twice', 'a@x.com 50 A+me@X.com 50', { code: 'split-twice' }],
    ['a name', `ann 50 ${BEN} 50`, { code: 'split-parts', facts: { text: 'ann' } }],
    ['a person without a percentage', `${ANN} ${BEN} 100`, { code: 'split-parts' }],
    ['a percentage without a person', '100', { code: 'split-parts', facts: { text: '100' } }],
    ['an invalid address', 'ann@nowhere 100', { code: 'split-parts', facts: { text: 'ann@nowhere' } }],
    ['no person', ' , ', { code: 'split-parts' }],
    ['26 parts', Array.from({ length: 26 }, (_, n) => `p${n}@x.com 1`).join(' '), { code: 'split-too-many-parts' }],
  ])('is refused with %s', async (_what, parts, refusal) => {
    await expect(create(parts)).rejects.toMatchObject(refusal)
    expect(await sharesOf()).toEqual([])
  })

  it.each<[string, 'gone' | { bot: boolean; roles: string[] }, string]>([
    ['has left', 'gone', 'split-left'],
    ['is a bot', { bot: true, roles: [] }, 'split-bot'],
    ['has an excluded role', { bot: false, roles: ['banned'] }, 'split-blocked'],
  ])('is neither saved nor paid if it has a part for somebody who %s', async (_what, known, code) => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { blockedRoles: ['banned'] } })
    await create(THREE)
    people.set(BEN, known)
    const refusal = { code, facts: { people: [BEN] } }
    await expect(create(THREE, 'other')).rejects.toMatchObject(refusal)
    await expect(edit(THREE)).rejects.toMatchObject(refusal)
    await expect(pay('100')).rejects.toMatchObject(refusal)
    expect(await world.database.read.pendingTip.count()).toBe(0)
  })

  it.each<[string, () => unknown, string]>([
    ['leaves', () => people.set(BEN, 'gone'), 'split-left'],
    ['is given an excluded role', () => people.set(BEN, { bot: false, roles: ['banned'] }), 'split-blocked'],
  ])('is not paid if a recipient %s before the payment is confirmed', async (_what, change, code) => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { blockedRoles: ['banned'] } })
    await create(THREE)
    const { asked } = await pay('100')
    const before = await available()
    change()
    await expect(confirm(asked)).rejects.toMatchObject({ code, facts: { people: [BEN] } })
    expect(await available()).toBe(before)
    people.delete(BEN)
    const { reward } = await confirm(asked)
    change()
    expect(await confirm(asked)).toMatchObject({ reward })
  })

  it.each<[string, () => unknown, string]>([
    ['leaves', () => people.set(BEN, 'gone'), 'split-left'],
    ['is given an excluded role', () => people.set(BEN, { bot: false, roles: ['banned'] }), 'split-blocked'],
  ])('is not paid if a recipient %s before the payment is approved', async (_what, change, code) => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { blockedRoles: ['banned'] } })
    await create(THREE)
    const { reward } = await confirm((await pay('60000')).asked)
    change()
    await expect(approve(reward)).rejects.toMatchObject({ code, facts: { people: [BEN] } })
    expect((await outcomes(reward)).map(([, , state]) => state)).toEqual(['waiting', 'waiting', 'waiting'])
    people.delete(BEN)
    expect(await approve(reward)).toMatchObject({ state: 'paid' })
    change()
    expect(await approve(reward)).toMatchObject({ state: 'paid' })
  })

  it('is not paid if the server excludes one of its recipients', async () => {
    await create(THREE)
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { blockedMembers: [CAT] } })
    await expect(pay('100')).rejects.toMatchObject({ code: 'split-blocked', facts: { people: [CAT] } })
  })

  it('is created once, under a name that is unique (ignoring case) in its server', async () => {
    const [one, again] = await Promise.all([create(THREE, 'Podcast', 'once'), create(THREE, 'Podcast', 'once')])
    expect(again.id).toBe(one.id)
    await expect(create(THREE, ' podcast ')).rejects.toMatchObject({ code: 'split-exists', facts: { name: 'podcast' } })
    await expect(create(THREE, ' ')).rejects.toMatchObject({ code: 'split-name' })
    await expect(create(THREE, 'x'.repeat(41))).rejects.toMatchObject({ code: 'split-name', facts: { most: 40 } })
    const elsewhere = { guild: 'elsewhere', member: MOD, name: 'podcast', parts: THREE, memberIn, person }
    await world.tipping.splits.create({ ...elsewhere, interaction: world.origin().interaction })
    expect(await sharesOf()).toEqual([['Podcast', 5_000, 3_000, 2_000]])
  })

  it('is found by its id even if another split’s name is that id in capitals', async () => {
    const { id } = await create(THREE)
    await create(`${ANN} 100`, id.toUpperCase())
    expect((await pay('100', MOD, id)).lines).toHaveLength(3)
    expect((await pay('100', MOD, id.toUpperCase())).lines).toHaveLength(1)
  })

  it('is refused if the server already has 25 splits', async () => {
    for (let n = 0; n < 25; n += 1) await create(THREE, `split ${n}`)
    await expect(create(THREE)).rejects.toMatchObject({ code: 'split-too-many', facts: { most: 25 } })
  })

  it('can be edited and deleted only in its server, and each change is logged', async () => {
    const { id } = await create(THREE)
    await edit(`${ANN} 60 ${BEN} 40`, 'PODCAST')
    expect(await sharesOf()).toEqual([['podcast', 6_000, 4_000]])
    await edit(`${ANN} 70 ${BEN} 30`)
    expect(await sharesOf()).toEqual([['podcast', 7_000, 3_000]])
    await expect(edit(`${ANN} 60 ${BEN} 41`)).rejects.toMatchObject({ code: 'split-sum' })
    const elsewhere = { guild: 'elsewhere', member: MOD, split: id }
    await expect(world.tipping.splits.delete(elsewhere)).rejects.toMatchObject({ code: 'split-not-found' })
    await world.tipping.splits.delete({ guild, member: SECOND, split: id })
    expect(await sharesOf()).toEqual([])
    await expect(pay('100')).rejects.toMatchObject({ code: 'split-not-found', facts: { name: 'podcast' } })
    const changes = await world.tipping.insights.changes(guild, 4)
    expect(changes.map(({ action, member, reason }) => [action, member, reason])).toEqual([
      ['split-deleted', SECOND, 'podcast'],
      ['split-changed', SECOND, 'podcast'],
      ['split-changed', SECOND, 'podcast'],
      ['split', MOD, 'podcast'],
    ])
  })
})

describe('a payment of a split', () => {
  it('divides all the sats, gives the first part the rest, and shows each outcome', async () => {
    await create(`<@${ANN}> 33.33 <@${BEN}> 33.33 <@${CAT}> 33.34`)
    const preview = await pay('1000')
    expect(preview).toMatchObject({ total: sats(1_000), feeLimit: 0n, rest: sats(1) })
    expect(preview.lines.map(({ amount }) => amount)).toEqual([sats(334), sats(333), sats(333)])
    expect(await available()).toBe(sats(100_000))
    const { reward } = await confirm(preview.asked)
    await confirm(preview.asked)
    expect(await outcomes(reward)).toEqual([
      [ANN, 334, 'parked'],
      [BEN, 333, 'parked'],
      [CAT, 333, 'parked'],
    ])
    expect(await available()).toBe(sats(99_000))
  })

  it('neither loses nor creates a sat, with random parts and sums', () => {
    let seed = 7
    const next = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    for (let round = 0; round < 500; round += 1) {
      const cuts = [0, ...Array.from({ length: next(24) }, () => 1 + next(9_999)), 10_000].sort((a, b) => a - b)
      const parts = cuts
        .slice(1)
        .map((cut, at) => ({ recipient: '', address: undefined, share: cut - (cuts[at] ?? 0) }))
      const amount = sats(next(1_000_000))
      const { shares, rest } = shareOut(amount, { parts })
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(amount)
      expect(shares.every((share) => share >= 0n && share % 1_000n === 0n)).toBe(true)
      expect(rest).toBeLessThan(BigInt(parts.length) * 1_000n)
    }
  })

  it('pays the amounts of its preview even if the split has since changed', async () => {
    await create(THREE)
    const first = await pay('100', MOD, 'podcast', world.origin('twice'))
    await edit(`${ANN} 10 ${BEN} 90`)
    const again = await pay('100', MOD, 'podcast', world.origin('twice'))
    expect(again.lines).toEqual(first.lines)
    const { reward } = await confirm(first.asked)
    expect((await outcomes(reward)).map(([, amount]) => amount)).toEqual([50, 30, 20])
  })

  it('covers members and Lightning Addresses, and previews a fee for the addresses', async () => {
    await create(`<@${ANN}> 80 bob@wallet.example 20`)
    const preview = await pay('1000')
    expect(preview.lines).toMatchObject([{ address: undefined }, { address: 'bob@wallet.example', amount: sats(200) }])
    expect(preview.feeLimit).toBeGreaterThan(0n)
  })

  it('shows on its card the amount that was typed in another currency', async () => {
    await create(THREE)
    const { asked } = await pay('100', MOD, 'podcast', { ...world.origin(), asked: 'USD 0.10' })
    const { card } = await confirm(asked)
    expect((await world.tipping.cards.get(card))?.origin?.asked).toBe('USD 0.10')
  })

  it('needs, above the limit, the approval of a moderator who has no part in it', async () => {
    await create(`<@${ANN}> 50 <@${SECOND}> 50`)
    const { asked } = await pay('60000')
    const { reward } = await confirm(asked)
    expect(await available()).toBe(sats(40_000))
    await expect(approve(reward, SECOND)).rejects.toMatchObject({ code: 'reward-needs-another' })
    await approve(reward)
    expect((await outcomes(reward)).map(([, amount]) => amount)).toEqual([30_000, 30_000])
  })

  it('is refused with the smallest sufficient sum if a part would be less than 1 sat', async () => {
    await create(`<@${ANN}> 99.9 <@${BEN}> 0.1`)
    await expect(pay('999')).rejects.toMatchObject({
      code: 'split-part-small',
      facts: { smallest: sats(1), least: sats(1_000) },
    })
    expect((await pay('1000')).lines.map(({ amount }) => amount)).toEqual([sats(999), sats(1)])
  })

  it('needs whole sats and a reason, and no part for the moderator who pays', async () => {
    await create(`<@${ANN}> 50 <@${MOD}> 50`)
    await expect(pay('100')).rejects.toMatchObject({ code: 'reward-to-self' })
    await expect(pay('1.5', SECOND)).rejects.toMatchObject({ code: 'split-whole-sats' })
    await expect(pay('all', SECOND)).rejects.toMatchObject({ code: 'amount-of-nothing' })
    const silent = {
      guild,
      member: SECOND,
      split: 'podcast',
      amount: '100',
      reason: ' ',
      person,
      origin: world.origin(),
    }
    await expect(world.tipping.splits.pay(silent)).rejects.toMatchObject({ code: 'reason-missing' })
  })

  it.each(['bob@wallet.example', 'bob+podcast@wallet.example'])(
    'does not pay %s after the owner of the address has had their data deleted',
    async (address) => {
      await create(`<@${ANN}> 50 ${address} 50`)
      const here = { id: BEN, seenAt: new Date(0), forwardTo: 'bob@wallet.example' }
      await world.database.write.member.create({ data: here })
      const { asked } = await pay('100')
      const { reward } = await confirm((await pay('60000')).asked)
      await world.run(world.tipping.privacy.forget(BEN))
      await expect(confirm(asked)).rejects.toMatchObject({ code: 'not-there' })
      await expect(approve(reward)).rejects.toMatchObject({ code: 'split-forgotten' })
      expect(await world.tipping.rewards.deny({ reward, member: 'third' })).toMatchObject({ state: 'denied' })
      expect(await available()).toBe(sats(100_000))
      const kept = [await world.database.read.pendingTip.findMany(), await world.database.read.reward.findMany()]
      expect(JSON.stringify(kept, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
        'wallet.example',
      )
      expect((await world.tipping.splits.list(guild))[0]?.parts[1]?.address).toBe('')
      await expect(pay('100')).rejects.toMatchObject({ code: 'split-forgotten' })
      await edit(`<@${ANN}> 50 <@${BEN}> 50`)
      expect((await pay('100')).lines).toHaveLength(2)
    },
  )
})
