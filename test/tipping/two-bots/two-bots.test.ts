import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Press } from '../../../src/bot/interactions/command.ts'
import { memberContextOf } from '../../../src/bot/interactions/member-context.ts'
import { rewardApprove } from '../../../src/bot/rewards/buttons.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import type { ServerPreferences } from '../../../src/tipping/tipping.ts'
import { type Bot, Bots } from './bots.ts'

let world: Bots
let a: Bot
let b: Bot
let bob: string

beforeEach(async () => {
  world = await Bots.open()
  ;[a, b] = world.all as [Bot, Bot]
  await world.fund(a, 'alice', 20_000)
  bob = await world.linked(a, 'bob')
})

afterEach(() => world.close())

const received = () => world.provider.received.get(bob) ?? 0n
const state = async (member = 'bob') => (await world.payout(member)).state
const paidCalls = () => world.provider.count('payToGamertag')

/** Begins a payout of 100 sats to bob at a bot: looked up but not sent, or sent but not answered. */
async function begin(bot: Bot, at: 'getGamertagByUserId' | 'payToGamertag', then?: () => void) {
  const held = world.hold(at, then)
  await world.tip(bot, 'alice', 'bob', '100')
  await held.asked
  return held
}

describe('the operations of another living bot', () => {
  it.each(['getGamertagByUserId', 'payToGamertag'] as const)(
    'are left alone by a bot that starts and by one that runs (during %s)',
    async (at) => {
      const held = await begin(a, at)
      const before = await world.payout('bob')
      await world.join()
      await world.pass(10_000)
      expect(await world.payout('bob')).toEqual(before)
      held.letGo()
      await world.idle()
      expect([await state(), received(), paidCalls()]).toEqual(['paid', 100_000n, 1])
    },
  )

  it('are left alone even if one is a deposit whose charge is still being created', async () => {
    const held = world.hold('createStaticCharge')
    const opening = b.tipping.deposits.open({ member: 'carol', amount: '50', origin: world.origin() })
    await held.asked
    await world.join()
    await world.pass(10_000)
    held.letGo()
    const { request } = await opening
    world.provider.payCharge(world.provider.chargeOf(request).id)
    await world.pass(30_000)
    expect(await world.available('carol')).toBe(50_000n)
  })
})

describe('the operations of a dead bot', () => {
  it('return their sats once the bot’s lease has expired if they were never sent', async () => {
    await begin(a, 'getGamertagByUserId')
    await world.endOf(a)
    await world.pass(25_000, [b])
    expect(await state()).toBe('reserved')
    await world.pass(20_000, [b])
    expect([await state(), await world.available('bob'), received()]).toEqual(['kept', 100_000n, 0n])
  })

  it('are polled by another bot, and paid once, if they may have been sent', async () => {
    const held = await begin(a, 'payToGamertag')
    await world.endOf(a)
    held.letGo()
    await world.pass(25_000, [b])
    expect([await state(), received()]).toEqual(['sending', 100_000n])
    await world.pass(60_000, [b])
    expect([await state(), received(), await world.available('bob')]).toEqual(['paid', 100_000n, 0n])
  })

  it('are abandoned if they are charges that no member has seen', async () => {
    const held = world.hold('createStaticCharge')
    void a.tipping.deposits.open({ member: 'carol', amount: '50', origin: world.origin() })
    await held.asked
    await world.endOf(a)
    held.letGo()
    const ended = async () => (await world.database.read.deposit.findFirstOrThrow({ where: { member: 'carol' } })).state
    await world.pass(25_000, [b])
    expect(await ended()).toBe('creating')
    await world.pass(20_000, [b])
    expect(await ended()).toBe('failed')
  })

  it('are polled by another bot if they are open deposits', async () => {
    const deposit = await a.tipping.deposits.open({ member: 'carol', amount: '50', origin: world.origin() })
    await world.endOf(a)
    world.provider.payCharge(world.provider.chargeOf(deposit.request).id)
    await world.pass(45_000, [b])
    expect(await world.available('carol')).toBe(50_000n)
  })
})

describe('a bot that resumes after a freeze', () => {
  it('does not send a payout that it had marked as sent, since another bot has sent it', async () => {
    const thawed = Promise.withResolvers<void>()
    a.afterCommit = async () => {
      const payouts = await world.database.read.payout.findMany()
      if (payouts[0]?.state !== 'sending') return
      a.afterCommit = () => {}
      a.clock.freeze(60_000)
      await world.pass(60_000, [b])
      thawed.resolve()
    }
    await world.tip(a, 'alice', 'bob', '100')
    await thawed.promise
    await world.idle()
    expect(a.asked).not.toContain('payToGamertag')
    expect(paidCalls()).toBe(1)
    expect([await state(), received()]).toEqual(['paid', 100_000n])
  })

  it('marks no payout as sent once its lease is gone', async () => {
    const held = await begin(a, 'getGamertagByUserId')
    const { process } = await world.payout('bob')
    await world.database.write.lease.deleteMany({ where: { name: `process:${process}` } })
    held.letGo()
    await world.idle()
    expect([await state(), paidCalls()]).toEqual(['reserved', 0])
    await world.pass(10_000, [b])
    expect([await state(), paidCalls(), await world.available('bob')]).toEqual(['kept', 0, 100_000n])
  })

  it('sends no payout that another bot has returned', async () => {
    const held = await begin(a, 'getGamertagByUserId')
    await world.pass(60_000, [b])
    expect(await state()).toBe('kept')
    held.letGo()
    await world.idle()
    expect([await state(), paidCalls(), await world.available('bob')]).toEqual(['kept', 0, 100_000n])
  })

  it('does not report a payout as failed if another bot has taken it over', async () => {
    const wallet = world.provider.wallet
    const held = await begin(a, 'payToGamertag', () => {
      world.provider.wallet = 0n
    })
    world.provider.misbehave('payToGamertag', ...Array<'error'>(50).fill('error'))
    await world.pass(60_000, [b])
    held.letGo()
    await world.idle()
    expect([await state(), await world.available('bob')]).toEqual(['unknown', 0n])
    world.provider.wallet = wallet
    world.provider.forgetKeys()
    world.provider.stopMisbehaving('payToGamertag')
    await world.pass(120_000, [b])
    expect([await state(), received()]).toEqual(['paid', 100_000n])
  })

  it('continues under a new name, and sends later payouts', async () => {
    await begin(a, 'getGamertagByUserId')
    await world.pass(40_000, [b])
    await world.pass(20_000)
    await world.tip(a, 'alice', 'bob', '50')
    await world.pass(10_000)
    expect([await state(), received()]).toEqual(['paid', 50_000n])
  })
})

describe('one of two bots', () => {
  it('shows a new card if it created the card, and older ones if it manages the book', async () => {
    await world.pass(30_000)
    const shows = async ({ tipping }: Bot, kind = 'tip') =>
      (await tipping.cards.pending(100)).filter((card) => card.kind === kind).length
    for (const { tipping } of [a, b])
      for (const card of await tipping.cards.pending(100)) await tipping.cards.shown(card, 'x')
    expect([await shows(a), await shows(b)]).toEqual([0, 0])
    await world.tip(b, 'alice', 'carol', '10')
    expect([await shows(a), await shows(b)]).toEqual([0, 1])
    await world.pass(7_500)
    expect([await shows(a), await shows(b)]).toEqual([0, 1])
    await world.pass(5_000)
    expect(await shows(a)).toBe(1)
    await world.tip(a, 'alice', 'carol', '10')
    await world.pass(30_000)
    expect([await shows(a), await shows(b)]).toEqual([2, 1])
  })

  it('is the only one that sends each alert to the operators', async () => {
    await b.tipping.administration.tellOfNode('the node sleeps')
    const told = async ({ tipping }: Bot) => (await tipping.administration.untoldAlerts(100)).map(({ text }) => text)
    expect([await told(a), await told(b)]).toEqual([['the node sleeps'], []])
  })

  it('is the only one to poll deposits, and acts on the other’s hint within seconds', async () => {
    const deposit = await b.tipping.deposits.open({ member: 'carol', amount: '50', origin: world.origin() })
    const charge = world.provider.chargeOf(deposit.request)
    world.provider.payCharge(charge.id)
    await b.tipping.hint(world.token(charge.callbackUrl))
    await world.pass(7_500)
    expect(await world.available('carol')).toBe(50_000n)
    expect(b.asked).not.toContain('getStaticCharge')
  })

  it('records the network of the book, with which the other bot then agrees', async () => {
    world.provider.told = { network: 'regtest' }
    for (const { tipping } of [a, b, a]) expect(await tipping.audit()).toMatchObject({ faults: [] })
    expect(await world.database.read.bookNetwork.findMany()).toMatchObject([{ network: 'regtest' }])
  })

  it('changes a server’s settings, which the other bot then knows', async () => {
    const preferences = { guild: 'guild', member: 'mod', change: { coolDownSeconds: 60 } }
    await a.tipping.preferences.changeServer(preferences)
    await world.pass(7_500)
    expect(b.tipping.preferences.ofServer('guild').coolDownSeconds).toBe(60)
  })
})

describe('a server’s setting that is changed at one bot binds the other bot immediately', () => {
  const choose = (change: Partial<ServerPreferences>) =>
    a.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
  const to = [{ id: 'bob', bot: false }]

  it('if it limits gifts', async () => {
    await choose({ largestTip: sats(50), coolDownSeconds: 60 })
    await expect(world.tip(b, 'alice', 'bob', '100')).rejects.toMatchObject({ code: 'amount-too-large' })
    await world.tip(b, 'alice', 'bob', '50')
    await expect(world.tip(a, 'alice', 'bob', '50')).rejects.toMatchObject({ code: 'cooling-down' })
  })

  it('if it requires confirmation of tips', async () => {
    await choose({ confirmAbove: sats(50) })
    const command = { from: 'alice', to, amount: '51', origin: world.origin() }
    expect(await b.tipping.tips.ask(command)).toHaveProperty('asked')
  })

  it('if it requires a confirmation before a request for sats is paid', async () => {
    await choose({ confirmAbove: sats(50) })
    const { id: invoice } = await a.tipping.invoices.create({ member: 'bob', amount: '51', origin: world.origin() })
    const asked = await b.tipping.withdrawals.pay({ invoice, member: 'alice', origin: world.origin() })
    expect(asked.state).toBe('asked')
    expect(world.provider.count('sendPayment')).toBe(0)
  })

  it('if it limits who can claim a share of a drop or receive rain', async () => {
    await choose({ rainAccountDays: 30, rainMemberDays: 7 })
    const drop = { member: 'alice', amount: '10', shares: 2, origin: world.origin() }
    expect(await b.tipping.drops.open(drop)).toMatchObject({ accountDays: 30, memberDays: 7 })
    const since = new Date(b.clock.now() - 24 * 3_600_000)
    const person = async () => ({ accountSince: since, memberSince: since })
    const rain = () =>
      b.tipping.rain.fall({
        ...{ from: 'alice', guild: 'guild', amount: '10', activeWithinMinutes: 30 },
        ...{ person, origin: world.origin() },
      })
    b.tipping.rain.heard('guild', 'carol')
    await expect(rain()).rejects.toMatchObject({ code: 'nobody-active' })
    await choose({ rainAccountDays: 1, rainMemberDays: 1 })
    expect((await rain()).shares.map(({ recipient }) => recipient)).toEqual(['carol'])
  })

  it('if it requires approval of rewards', async () => {
    const { pools, rewards } = b.tipping
    await pools.give({ guild: 'guild', member: 'alice', amount: '1000', origin: world.origin() })
    await pools.budget({ guild: 'guild', member: 'mod', role: 'mods', amount: '1000', period: 'day' })
    await choose({ approvalAbove: sats(100) })
    const about = { roles: ['mods'], to: { id: 'bob', bot: false }, amount: '101', reason: 'Fixed the heating' }
    const reward = await rewards.give({ guild: 'guild', member: 'mod', ...about, origin: world.origin() })
    expect(reward.state).toBe('asked')
  })

  it('if it limits the time for which tips and rewards wait for newcomers', async () => {
    const { pools, rewards, tips } = b.tipping
    await pools.give({ guild: 'guild', member: 'alice', amount: '1000', origin: world.origin() })
    await pools.budget({ guild: 'guild', member: 'mod', role: 'mods', amount: '1000', period: 'day' })
    await choose({ claimDays: 3 })
    const to = { id: 'newcomer', bot: false }
    const tip = await tips.send({ from: 'alice', to: [to], amount: '10', origin: world.origin() })
    const about = { roles: ['mods'], to, amount: '10', reason: 'Fixed the heating' }
    const reward = await rewards.give({ guild: 'guild', member: 'mod', ...about, origin: world.origin() })
    const until = new Date(b.clock.now() + 3 * 24 * 3_600_000)
    expect([tip.shares[0]?.until, reward.share?.until]).toEqual([until, until])
  })

  it('if it names the moderators, who decide about the server’s money', async () => {
    const { pools, rewards } = b.tipping
    await choose({ moderatorRoles: ['mods', 'cooks'], approvalAbove: sats(100) })
    await world.pass(10_000)
    await pools.give({ guild: 'guild', member: 'alice', amount: '1000', origin: world.origin() })
    await pools.budget({ guild: 'guild', member: 'mod', role: 'mods', amount: '1000', period: 'day' })
    const about = { roles: ['mods'], to: { id: 'bob', bot: false }, amount: '500', reason: 'Fixed the heating' }
    const { id } = await rewards.give({ guild: 'guild', member: 'mod', ...about, origin: world.origin() })
    const approve = () => rewardApprove.press(pressOf('cook', ['cooks'], id))
    await choose({ moderatorRoles: ['mods'] })
    await expect(approve()).rejects.toMatchObject({ why: 'commandRefusals.moderators-only' })
    expect(await rewards.view(id)).toMatchObject({ state: 'asked' })
    await choose({ moderatorRoles: ['mods', 'cooks'] })
    await approve()
    expect(await rewards.view(id)).toMatchObject({ state: 'paid', decider: 'cook' })
  })

  /** Returns a press at the second bot, as Discord reports it. */
  function pressOf(member: string, roles: readonly string[], record: string): Press {
    const interaction = {
      ...{ user: { id: member, createdAt: new Date(0) }, member: { roles, joined_at: null }, guildId: 'guild' },
      ...{ memberPermissions: null, guild: null, channelId: 'channel', locale: 'en', context: null },
      authorizingIntegrationOwners: null,
    } as unknown as Parameters<typeof memberContextOf>[0]
    const shared = { record, member, guild: 'guild', members: {} as Press['members'] }
    return { ...shared, caller: memberContextOf(interaction, b.tipping), tipping: b.tipping } as Press
  }
})

it('new accounts together can try 150 codes at both bots, then one every 4 seconds', async () => {
  const redeem = async (bot: Bot, member: string) => {
    const { code } = world.provider.vouchers.foreign(1_000n)
    const accountSince = new Date(bot.clock.now() - 24 * 3_600_000)
    const redeemed = bot.tipping.vouchers.redeem({ member, code, accountSince, origin: world.origin() })
    return await redeemed.then(
      ({ state }) => state,
      (refusal) => refusal as { code: string; facts: { until: Date } },
    )
  }
  // As 147 have been tried, which takes four seconds each to be forgotten.
  const until = new Date(a.clock.now() + 147 * 4_000)
  await world.database.write.coolDown.create({ data: { key: 'redeem:new-accounts', until } })
  for (const [i, bot] of [a, b, a].entries()) expect(await redeem(bot, `young-${i}`)).toBe('redeemed')
  const refused = { code: 'voucher-code-locked', facts: { until: new Date(a.clock.now() + 4_000) } }
  for (const bot of [a, b]) expect(await redeem(bot, 'late')).toMatchObject(refused)
  await world.pass(5_000)
  expect(await redeem(a, 'later')).toBe('redeemed')
  expect(await redeem(b, 'last')).toMatchObject({ code: 'voucher-code-locked' })
})

describe('a storm at two bots, one of which is killed', () => {
  const PEOPLE = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']

  /** Makes tips, payouts, withdrawals and a drop at both bots simultaneously; some are refused or never answered. */
  async function storm(wave: number): Promise<void> {
    const drop = { member: 'alice', amount: '5', shares: 4, minutes: 60, origin: world.origin() }
    const { id } = await b.tipping.drops.open(drop)
    const begun: Promise<unknown>[] = []
    for (const [i, person] of PEOPLE.entries()) {
      for (const bot of [a, b]) {
        // The same interaction at both: Discord may deliver it twice.
        begun.push(world.tip(bot, 'alice', person, '10', `tip-${wave}-${i}`))
        begun.push(world.tip(bot, 'alice', 'bob', '3'))
        const claimant = { id: person, accountSince: new Date(0), memberSince: undefined, roles: [] }
        begun.push(bot.tipping.drops.claim({ drop: id, claimant, origin: world.origin() }))
        begun.push(withdraw(bot))
      }
    }
    for (const promise of begun) promise.catch(() => undefined)
    await world.idle()
  }

  async function withdraw({ tipping }: Bot): Promise<void> {
    const { id } = await tipping.withdrawals.ask({ member: 'alice', amount: '20', origin: world.origin() })
    await tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() })
  }

  const moments = [1, 4, 9].flatMap((commit) => [['before', commit] as const, ['after', commit] as const])
  it.each(moments)('loses no sats and creates none if that bot dies just %s its commit %i', async (moment, commit) => {
    const wallet = world.provider.wallet
    a.dieAt(commit, moment)
    let waves = 0
    for (; !a.dead; waves += 1) await storm(waves)
    await world.endOf(a)
    await world.pass(90_000, [b], 5_000)
    const { read } = world.database
    for (const person of PEOPLE) {
      expect(await read.tip.count({ where: { shares: { some: { recipient: person } } } }), person).toBe(waves)
    }
    const open = { state: { in: ['reserved', 'sending', 'unknown'] } }
    expect([await read.payout.count({ where: open }), await read.withdrawal.count({ where: open })]).toEqual([0, 0])
    const { _sum } = await read.payout.aggregate({ where: { state: 'paid' }, _sum: { amount: true } })
    expect(received()).toBe(_sum.amount ?? 0n)
    // What left the wallet is what was paid out, and what withdrawal codes keep back there: no more, no less.
    const codes = [...world.provider.outgoing.requests.values()].reduce((sum, one) => sum + one.amount + one.limit, 0n)
    expect(wallet - world.provider.wallet).toBe(received() + codes)
    const offered = await read.withdrawal.aggregate({
      where: { state: 'offered' },
      _sum: { amount: true, feeLimit: true },
    })
    expect(codes).toBe((offered._sum.amount ?? 0n) + (offered._sum.feeLimit ?? 0n))
  })
})
