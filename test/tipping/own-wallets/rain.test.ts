import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { ScriptedWallet } from '../../support/scripted-wallets.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let alice: ScriptedWallet

/** Opens a world in which bob and carol have wallets, dave has none, and all three have written a message. */
beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  alice = await world.connected('alice')
  await world.connected('bob')
  await world.connected('carol')
  for (const member of ['alice', 'bob', 'carol', 'dave']) world.tipping.rain.heard('guild', member)
})

type Rain = Parameters<TippingWorld['tipping']['rain']['fall']>[0]
const command = (more: Partial<Rain> = {}): Rain => ({
  ...{ from: 'alice', guild: 'guild', amount: '600', activeWithinMinutes: 60, origin: world.origin(), ...more },
})
const rain = (more?: Partial<Rain>) => world.tipping.rain.fall(command(more))

async function sharesOf({ id }: { readonly id: string }) {
  await world.settle()
  const { shares } = await world.tipping.tips.view(id)
  return shares.map(({ recipient, amount, state }) => [recipient, amount, state]).toSorted()
}

const moves = () => world.database.read.move.count()
const paid = () => world.wallets.payments.map(({ by, to, amount }) => [...by, to, amount]).toSorted()

describe('rain from a member with a wallet of their own', () => {
  it('pays only people with a wallet, each with one payment', async () => {
    expect(await sharesOf(await rain())).toEqual([
      ['bob', 300_000n, 'direct'],
      ['carol', 300_000n, 'direct'],
    ])
    expect(paid()).toEqual([
      ['alice', 'bob', 300_000n],
      ['alice', 'carol', 300_000n],
    ])
    expect(await moves()).toBe(0)
  })

  it('falls once, even if its command is delivered twice', async () => {
    const tips = await Promise.all([rain({ origin: world.origin('again') }), rain({ origin: world.origin('again') })])
    await world.settle()
    expect(new Set(tips.map(({ id }) => id)).size).toBe(1)
    expect(paid()).toHaveLength(2)
  })

  it('shows which people the giver’s wallet did not pay', async () => {
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    const states = (await sharesOf(await rain())).map(([, , state]) => state)
    expect(states.toSorted()).toEqual(['direct', 'unpaid'])
    expect(paid()).toHaveLength(1)
  })

  it('offers no invoices for payment by hand if it falls on more than ten people', async () => {
    const offered = () => world.database.read.card.count({ where: { kind: 'wallet-invoice' } })
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    await sharesOf(await rain())
    expect(await offered()).toBe(1)
    for (let i = 0; i < 9; i += 1) {
      await world.connected(`member-${i}`)
      world.tipping.rain.heard('guild', `member-${i}`)
    }
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    expect(await sharesOf(await rain({ amount: '1100' }))).toHaveLength(11)
    expect(await offered()).toBe(1)
  })

  it('falls on the requested number of people among those with a wallet', async () => {
    expect(await sharesOf(await rain({ people: 1 }))).toHaveLength(1)
    expect(paid()).toMatchObject([['alice', expect.stringMatching(/bob|carol/), 600_000n]])
  })

  it('is refused if no person, or too many people, have a wallet', async () => {
    await expect(rain({ among: ['dave'] })).rejects.toMatchObject({ code: 'nobody-with-wallet' })
    await expect(rain({ people: 26 })).rejects.toMatchObject({ code: 'too-many-recipients', facts: { most: 25 } })
    for (let i = 0; i < 24; i += 1) {
      await world.connected(`member-${i}`)
      world.tipping.rain.heard('guild', `member-${i}`)
    }
    await expect(rain()).rejects.toMatchObject({ code: 'too-many-recipients', facts: { most: 25 } })
    expect(paid()).toEqual([])
  })

  it('comes from the balance if it suffices, even for people without a wallet', async () => {
    await world.fund('alice', 600)
    const shares = await sharesOf(await rain())
    expect(shares.map(([member]) => member)).toEqual(['bob', 'carol', 'dave'])
    await expect(rain({ source: 'balance' })).rejects.toMatchObject({ code: 'insufficient-funds' })
    expect(paid()).toEqual([])
  })

  it('comes from the wallet if its giver chooses the wallet', async () => {
    await world.fund('alice', 600)
    expect(await sharesOf(await rain({ source: 'wallet' }))).toHaveLength(2)
    expect(await world.available('alice')).toBe(600_000n)
    await expect(rain({ source: 'wallet', amount: 'half' })).rejects.toMatchObject({ code: 'gift-needs-balance' })
  })

  it('waits for confirmation if it exceeds the limit, and is then paid by the wallet', async () => {
    const asked = await world.tipping.rain.ask(command({ amount: '20000' }))
    if (!('asked' in asked)) throw new Error('it was not asked about')
    expect(asked).toMatchObject({ source: 'wallet', recipients: 2 })
    await world.fund('alice', 30_000)
    const tip = await world.tipping.tips.confirm({ asked: asked.asked, member: 'alice', origin: world.origin() })
    expect((await sharesOf(tip)).map(([, , state]) => state)).toEqual(['direct', 'direct'])
    expect(await world.available('alice')).toBe(30_000_000n)
  })

  it('uses up the daily allowance, except for shares that are not paid', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(600) } })
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    await sharesOf(await rain())
    await expect(rain()).rejects.toMatchObject({ code: 'limit-reached' })
    expect(await sharesOf(await rain({ amount: '300' }))).toHaveLength(2)
  })

  it('needs its giver’s wallet in a bot without custody', async () => {
    await world.tipping.close()
    await world.start({ custody: 'none' })
    for (const member of ['bob', 'dave']) world.tipping.rain.heard('guild', member)
    expect(await sharesOf(await rain())).toMatchObject([['bob', 600_000n, 'direct']])
    await expect(rain({ from: 'dave' })).rejects.toMatchObject({ code: 'own-wallet-needed' })
    await expect(rain({ amount: 'all' })).rejects.toMatchObject({ code: 'gift-needs-balance' })
  })
})

describe('rain from a server’s wallet', () => {
  const fromServer = (more: Partial<Rain> = {}) =>
    world.tipping.rain.fallFromPool({
      ...command({ from: 'mod', ...more }),
      pool: { guild: 'guild', roles: ['staff'], reason: 'for all' },
    })

  beforeEach(async () => {
    await world.tipping.pools.budget({ guild: 'guild', member: 'owner', role: 'staff', amount: '1000', period: 'day' })
    const { uri: text } = world.wallets.add('server:guild')
    const { token } = await world.tipping.ownWallets.invite({ member: 'mod', guild: 'guild', locale: 'en' })
    expect(await world.tipping.ownWallets.connect({ token, text })).toMatchObject({ guild: 'guild' })
  })

  it('pays people with a wallet, and is refused once the budget is used up', async () => {
    const tip = await fromServer()
    expect(await sharesOf('id' in tip ? tip : { id: '' })).toHaveLength(3)
    expect(paid()).toEqual(['alice', 'bob', 'carol'].map((member) => ['server:guild', member, 200_000n]))
    await expect(fromServer()).rejects.toMatchObject({ code: 'budget-exhausted' })
    expect(await moves()).toBe(0)
  })

  it('waits for a second moderator’s approval, and then pays the chosen people', async () => {
    await world.tipping.preferences.changeServer({
      ...{ guild: 'guild', member: 'owner' },
      change: { approvalAbove: sats(100) },
    })
    const asked = await fromServer({ people: 2 })
    if (!('reward' in asked)) throw new Error('it does not wait')
    expect(paid()).toEqual([])
    const { record, recipients } = await world.tipping.rewards.approve({ reward: asked.reward, member: 'other' })
    expect((await sharesOf({ id: record ?? '' })).map(([member]) => member)).toEqual(recipients)
    expect(paid()).toEqual(recipients.map((member) => ['server:guild', member, 300_000n]))
  })
})
