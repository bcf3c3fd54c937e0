import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import type { RewardView, TippingRefusal } from '../../../src/tipping/tipping.ts'
import type { PayFault, ScriptedWallet } from '../../support/scripted-wallets.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let server: ScriptedWallet
let bob: ScriptedWallet

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  await world.tipping.pools.budget({ guild: 'guild', member: 'owner', role: 'staff', amount: '1000', period: 'day' })
  server = await connected('mod')
  bob = await world.connected('bob')
})

async function connected(member: string, methods?: readonly string[]): Promise<ScriptedWallet> {
  const wallet = world.wallets.add('server:guild')
  if (methods !== undefined) wallet.methods = methods
  const { token } = await world.tipping.ownWallets.invite({ member, guild: 'guild', locale: 'en' })
  expect(await world.tipping.ownWallets.connect({ token, text: wallet.uri })).toMatchObject({ guild: 'guild' })
  return wallet
}

const give = (to: string, amount: string, more: { readonly member?: string; readonly interaction?: string } = {}) =>
  world.tipping.rewards.give({
    ...{ guild: 'guild', member: more.member ?? 'mod', roles: ['staff'], to: { id: to, bot: false }, amount },
    ...{ reason: 'for help', origin: world.origin(more.interaction) },
  })

const tipFromServer = (to: readonly string[], amount: string) =>
  world.tipping.tips.sendFromPool({
    ...{ from: 'mod', to: to.map((id) => ({ id, bot: false })), amount, origin: world.origin() },
    pool: { guild: 'guild', roles: ['staff'], reason: 'for help' },
  })

async function shareOf({ id }: Pick<RewardView, 'id'>) {
  await world.settle()
  return (await world.tipping.rewards.view(id)).share
}

/** Returns how much a moderator can still give today, in sats, by trying. */
async function left(): Promise<bigint | undefined> {
  const used = await world.database.read.usage.findFirst({ where: { key: 'reward:guild:staff:mod' } })
  return used === null ? undefined : 1_000n - used.used / 1_000n
}

const moves = () => world.database.read.move.count()
const fill = async (amount: number) => {
  await world.fund('donor', amount)
  await world.tipping.pools.give({ guild: 'guild', member: 'donor', amount: String(amount), origin: world.origin() })
}
const OVER = 5 * 60_000
const approvalAbove = (amount: number) =>
  world.tipping.preferences.changeServer({ guild: 'guild', member: 'owner', change: { approvalAbove: sats(amount) } })

describe('a list of rewards or a giveaway in a server whose wallet pays rewards', () => {
  it('is refused if the pool has too little, even if the server’s wallet has enough', async () => {
    const file = new TextEncoder().encode('ann@wallet.test,50\n100000000000000001,30')
    const memberIn = (cell: string) => /^\d+$/.exec(cell)?.[0]
    const list = { guild: 'guild', member: 'mod', file, memberIn, reason: 'docs', origin: world.origin() }
    const { asked = '' } = await world.tipping.rewards.readList(list)
    const word = { asked, member: 'mod', roles: ['staff'], origin: world.origin() }
    const right = { code: 'pool-insufficient', facts: { alone: true } }
    await expect(world.tipping.rewards.confirmList(word)).rejects.toMatchObject(right)
  })

  it('is refused without mention of a wallet if the server has disconnected its wallet', async () => {
    const start = () => {
      const pool = { guild: 'guild', roles: ['staff'], reason: 'for all' }
      const terms = { member: 'mod', prize: '100', winners: 1, duration: '5m' }
      return world.tipping.giveaways.startFromPool({ ...terms, pool, origin: world.origin() })
    }
    await expect(start()).rejects.toMatchObject({ code: 'pool-insufficient', facts: { alone: true } })
    await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'mod' })
    const error: unknown = await start().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'pool-insufficient' })
    expect((error as TippingRefusal).facts).not.toHaveProperty('alone')
  })
})

describe('a reward in a server that has its own wallet', () => {
  it('is paid from wallet to wallet, and moves no sats in the book', async () => {
    const before = await moves()
    const reward = await give('bob', '300')
    expect(reward).toMatchObject({ amount: 300_000n, state: 'paid', fromWallet: true, share: { state: 'asked' } })
    expect(await shareOf(reward)).toMatchObject({ recipient: 'bob', state: 'direct' })
    expect(world.wallets.payments).toMatchObject([{ amount: 300_000n, to: 'bob', by: ['server:guild'] }])
    expect(await moves()).toBe(before)
    expect(await left()).toBe(700n)
  })

  it('is paid once, however often its command is delivered', async () => {
    const [one, other] = await Promise.all([
      give('bob', '300', { interaction: 'again' }),
      give('bob', '300', { interaction: 'again' }),
    ])
    await world.settle()
    const later = await give('bob', '300', { interaction: 'again' })
    await world.settle()
    expect(new Set([one.id, other.id, later.id]).size).toBe(1)
    expect(world.wallets.payments).toHaveLength(1)
    expect(await left()).toBe(700n)
  })

  it('pays several people one after another, within one budget', async () => {
    await world.connected('carol')
    const tip = await tipFromServer(['bob', 'carol'], '400')
    if ('reward' in tip) throw new Error('it waits')
    expect(tip).toMatchObject({ fromPool: true, total: 800_000n })
    await world.settle()
    expect((await world.tipping.tips.view(tip.id)).shares.map(({ state }) => state)).toEqual(['direct', 'direct'])
    expect(await left()).toBe(200n)
    await expect(tipFromServer(['bob', 'carol'], '400')).rejects.toMatchObject({ code: 'budget-exhausted' })
    expect(world.wallets.payments).toHaveLength(2)
  })

  it('is shown as a reward in its recipient’s history, and is credited to no giver', async () => {
    const reward = await give('bob', '300')
    await world.settle()
    const { lines } = await world.tipping.history.page('bob', 0)
    expect(lines).toMatchObject([{ what: 'reward', who: 'mod', amount: 300_000n }])
    const receipt = await world.tipping.history.receipt({ member: 'bob', operation: reward.id })
    expect(receipt).toMatchObject({ what: 'reward', preimage: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const board = await world.tipping.insights.leaderboard('guild', 'week')
    expect(board.tippers).toEqual([])
    expect(board.receivers).toMatchObject([{ member: 'bob', amount: 300_000n }])
    expect((await world.tipping.history.page('mod', 0)).lines).toEqual([])
  })

  it('comes from the pool if a recipient has no wallet', async () => {
    await fill(500)
    const reward = await give('newcomer', '200')
    expect(reward).toMatchObject({ fromWallet: false, share: { state: 'parked' } })
    expect(server.asked).not.toContain('pay_invoice')
  })

  it('is refused, naming the people without a wallet, if the pool has too little', async () => {
    await expect(give('newcomer', '200')).rejects.toMatchObject({
      code: 'recipient-needs-wallet',
      facts: { members: ['newcomer'] },
    })
    expect(await left()).toBeUndefined()
  })

  it('needs a budget and a reason, like any other reward', async () => {
    const to = { id: 'bob', bot: false }
    const about = { guild: 'guild', member: 'mod', to, amount: '1', origin: world.origin() }
    await expect(world.tipping.rewards.give({ ...about, roles: [], reason: 'x' })).rejects.toMatchObject({
      code: 'budget-none',
    })
    await expect(world.tipping.rewards.give({ ...about, roles: ['staff'], reason: ' ' })).rejects.toMatchObject({
      code: 'reason-missing',
    })
    await world.settle()
    expect(server.asked).not.toContain('pay_invoice')
  })
})

describe('a reward that a server’s wallet could not pay', () => {
  const refused: [string, PayFault, string][] = [
    ['the budget of the connection is used up', { error: 'QUOTA_EXCEEDED' }, 'budget'],
    ['the wallet has too little', { error: 'INSUFFICIENT_BALANCE' }, 'insufficient'],
    ['the connection is no longer permitted to pay', { error: 'RESTRICTED' }, 'not-allowed'],
  ]

  it.each(refused)('is shown as unpaid, and its sats return to the budget: %s', async (_, fault, failure) => {
    server.payFaults.push(fault)
    expect(await shareOf(await give('bob', '300'))).toMatchObject({ state: 'unpaid', failure })
    expect(await left()).toBe(1_000n)
    // Nobody pays a server's reward by hand.
    expect(await world.database.read.card.count({ where: { kind: 'wallet-invoice' } })).toBe(0)
    expect(await shareOf(await give('bob', '1000'))).toMatchObject({ state: 'direct' })
  })

  it('is unsure while the wallet is silent, and fails when the invoice expires', async () => {
    server.isAway = true
    const reward = await give('bob', '300')
    expect(await shareOf(reward)).toMatchObject({ state: 'unsure' })
    expect(await left()).toBe(700n)
    await world.pass(OVER)
    expect(await shareOf(reward)).toMatchObject({ state: 'unpaid', failure: 'expired' })
    expect(await left()).toBe(1_000n)
  })

  it('returns to the budget only the shares that were not paid', async () => {
    await world.connected('carol')
    server.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    await tipFromServer(['bob', 'carol'], '400')
    await world.settle()
    expect(await left()).toBe(600n)
  })

  it('uses the budget after all if the wallet turns out to have paid', async () => {
    server.payFaults.push({ error: 'INSUFFICIENT_BALANCE', paysFirst: true })
    for (const wallet of [server, bob]) wallet.knowsNothing = true
    const reward = await give('bob', '300')
    expect(await shareOf(reward)).toMatchObject({ state: 'unpaid' })
    expect(await left()).toBe(1_000n)
    for (const wallet of [server, bob]) wallet.knowsNothing = false
    await world.pass(60_000)
    expect(await shareOf(reward)).toMatchObject({ state: 'direct' })
    expect(await left()).toBe(700n)
    expect(world.wallets.payments).toHaveLength(1)
  })

  it('is unpaid if the wallet is disconnected while it pays an earlier share', async () => {
    await world.connected('carol')
    const paying = Promise.withResolvers<void>()
    server.beforePaying = paying.promise
    const tip = await tipFromServer(['bob', 'carol'], '100')
    await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'mod' })
    paying.resolve()
    await world.settle()
    const { shares } = await world.tipping.tips.view('id' in tip ? tip.id : '')
    expect(shares[1]).toMatchObject({ state: 'unpaid', failure: 'disconnected' })
    await expect(give('bob', '1')).rejects.toMatchObject({ code: 'pool-insufficient' })
  })
})

describe('a reward that needs a second moderator', () => {
  beforeEach(() => approvalAbove(100))

  it('is paid by the wallet once, even if two moderators approve it at the same moment', async () => {
    const reward = await give('bob', '300')
    expect(reward).toMatchObject({ state: 'asked', fromWallet: true, share: undefined })
    expect(await left()).toBe(700n)
    await world.settle()
    expect(server.asked).not.toContain('pay_invoice')
    const approve = (member: string) => world.tipping.rewards.approve({ reward: reward.id, member })
    await expect(approve('mod')).rejects.toMatchObject({ code: 'reward-needs-another' })
    await expect(approve('bob')).rejects.toMatchObject({ code: 'reward-needs-another' })
    const pressed = await Promise.allSettled([approve('second'), approve('third')])
    expect(pressed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await shareOf(reward)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toHaveLength(1)
    expect(await left()).toBe(700n)
  })

  it('can be a small one that exceeds the limit together with earlier rewards', async () => {
    expect(await give('bob', '60')).toMatchObject({ state: 'paid' })
    expect(await give('bob', '60')).toMatchObject({ state: 'asked' })
  })

  it('returns to the budget when it is denied, and takes no sats from the pool', async () => {
    await fill(500)
    const reward = await give('bob', '300')
    const view = await world.tipping.rewards.deny({ reward: reward.id, member: 'second' })
    expect(view).toMatchObject({ state: 'denied', fromWallet: true })
    expect(await left()).toBe(1_000n)
    expect(await world.tipping.pools.view('guild')).toMatchObject({ available: 500_000n, reserved: 0n })
  })

  it('keeps waiting if the wallet is disconnected, and takes no sats from the pool', async () => {
    await fill(500)
    const reward = await give('bob', '300')
    await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'mod' })
    const approve = () => world.tipping.rewards.approve({ reward: reward.id, member: 'second' })
    await expect(approve()).rejects.toMatchObject({ code: 'server-wallet-needed' })
    expect((await world.tipping.rewards.view(reward.id)).state).toBe('asked')
    expect(await world.tipping.pools.view('guild')).toMatchObject({ available: 500_000n, reserved: 0n })
    await connected('mod')
    await approve()
    expect(await shareOf(reward)).toMatchObject({ state: 'direct' })
  })

  it('is not paid in a restored book, since the wallet may have paid it', async () => {
    const reward = await give('bob', '300')
    await world.pass(60_000)
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    const approve = (id: string) => world.tipping.rewards.approve({ reward: id, member: 'second' })
    await expect(approve(reward.id)).rejects.toMatchObject({ code: 'reward-restored' })
    await world.tipping.rewards.deny({ reward: reward.id, member: 'second' })
    expect(await left()).toBe(1_000n)
    await world.pass(60_000)
    const again = await give('bob', '300')
    await approve(again.id)
    expect(await shareOf(again)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toHaveLength(1)
  })

  it('is paid to all chosen people once it is approved', async () => {
    await world.connected('carol')
    const waiting = await tipFromServer(['bob', 'carol'], '200')
    if (!('reward' in waiting)) throw new Error('it does not wait')
    await world.tipping.rewards.approve({ reward: waiting.reward, member: 'second' })
    await world.settle()
    expect(world.wallets.payments.map(({ to, amount }) => [to, amount])).toEqual([
      ['bob', 200_000n],
      ['carol', 200_000n],
    ])
    expect(await left()).toBe(600n)
  })
})

describe('a server’s wallet in a bot without custody', () => {
  beforeEach(async () => {
    await world.start({ custody: 'none' })
  })

  it('is the only source of rewards', async () => {
    expect(await shareOf(await give('bob', '300'))).toMatchObject({ state: 'direct' })
    await expect(give('newcomer', '1')).rejects.toMatchObject({ code: 'recipient-needs-wallet' })
    await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'mod' })
    await expect(give('bob', '300')).rejects.toMatchObject({ code: 'server-wallet-needed' })
  })
})

describe('a process that dies while a server’s wallet pays', () => {
  it.each([
    ['before', 1],
    ['after', 1],
    ['before', 2],
    ['after', 2],
    ['after', 3],
  ] as const)('pays a reward at most once, and within the budget (just %s commit %i)', async (moment, commit) => {
    const died = world.dieAtCommit(commit, moment)
    void give('bob', '300', { interaction: 'once' }).catch(() => undefined)
    await world.run(died)
    await world.reborn()
    await world.pass(OVER)
    await world.pass(OVER)
    const again = await give('bob', '300', { interaction: 'once' })
    const share = await shareOf(again)
    const paid = world.wallets.payments.length
    expect([share?.state, paid]).toEqual(paid === 1 ? ['direct', 1] : ['unpaid', 0])
    expect(await left()).toBe(paid === 1 ? 700n : 1_000n)
  })
})

describe('a reward that was about to be paid when the backup was made', () => {
  it('is not reported as unpaid in the restored book, and still uses its budget', async () => {
    const died = world.dieAtCommit(2, 'before')
    void give('bob', '300').catch(() => undefined)
    await world.run(died)
    await world.reborn()
    const [now, { id }] = [new Date(world.clock.now()), await world.database.read.reward.findFirstOrThrow()]
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    await world.pass(OVER)
    const share = await shareOf({ id })
    expect(share).toMatchObject({ state: 'unconfirmed' })
    expect(share?.failure).toBeUndefined()
    expect(await left()).toBe(700n)
    expect(world.wallets.payments).toEqual([])
  })
})

describe('a server’s wallet', () => {
  it('stays connected when a moderator disconnects a wallet of their own', async () => {
    expect(await world.tipping.ownWallets.mine('mod')).toBeUndefined()
    await world.tipping.ownWallets.disconnect('mod')
    expect(await world.tipping.ownWallets.ofServer('guild')).toMatchObject({ name: 'server:guild', pays: true })
    expect(await world.tipping.ownWallets.ofServer('another')).toBeUndefined()
  })

  it('is refused if it cannot pay', async () => {
    const wallet = world.wallets.add('receives')
    wallet.methods = ['make_invoice']
    const { token } = await world.tipping.ownWallets.invite({ member: 'mod', guild: 'guild', locale: 'en' })
    const outcome = await world.tipping.ownWallets.connect({ token, text: wallet.uri })
    expect(outcome).toEqual({ problem: 'pays-not' })
    expect(await world.tipping.ownWallets.ofServer('guild')).toMatchObject({ name: 'server:guild' })
  })

  it('shows its budget if it has one, and otherwise its balance', async () => {
    expect(await world.tipping.ownWallets.spendable('guild')).toBeUndefined()
    server = await connected('mod', ['pay_invoice', 'get_balance'])
    expect(await world.tipping.ownWallets.spendable('guild')).toEqual({ holds: sats(100_000) })
    server = await connected('mod', ['pay_invoice', 'get_balance', 'get_budget'])
    server.budgetLeft = sats(4_000)
    expect(await world.tipping.ownWallets.spendable('guild')).toEqual({
      budget: { total: sats(10_000), left: sats(4_000) },
    })
    server.isAway = true
    expect(await world.tipping.ownWallets.spendable('guild')).toBe('silent')
  })

  it('appears in the moderation log with the members who connect and disconnect it', async () => {
    await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'second' })
    expect(await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'second' })).toBe(false)
    const changes = await world.tipping.insights.changes('guild', 2)
    expect(changes.map(({ member, action }) => [member, action])).toEqual([
      ['second', 'wallet-disconnected'],
      ['mod', 'wallet-connected'],
    ])
  })

  it('is stored encrypted, like the wallet of a member', async () => {
    const row = await world.database.read.walletConnection.findUniqueOrThrow({ where: { member: 'server:guild' } })
    expect(JSON.stringify(row)).not.toContain(server.connection.secret)
  })
})
