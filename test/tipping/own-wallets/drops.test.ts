import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import type { DropCommand } from '../../../src/tipping/tipping.ts'
import type { ScriptedWallet } from '../../support/scripted-wallets.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let alice: ScriptedWallet

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  alice = await world.connected('alice')
  await world.connected('bob')
  await world.connected('carol')
})

const open = (more: Partial<DropCommand> = {}) =>
  world.tipping.drops.open({ member: 'alice', amount: '600', shares: 2, minutes: 5, origin: world.origin(), ...more })

const claim = (drop: string, member: string, interaction?: string) =>
  world.tipping.drops.claim({
    drop,
    claimant: { id: member, accountSince: new Date(0), memberSince: new Date(0), roles: [] },
    origin: world.origin(interaction),
  })

const close = (drop: string, member = 'alice') =>
  world.tipping.drops.close({ drop, member, moderator: member === 'mod', origin: world.origin() })

/** Returns a claimer's share once all present work is done. */
async function shareOf({ id }: { readonly id: string }) {
  await world.settle()
  return (await world.tipping.drops.claimView(id)).payment
}

const moves = () => world.database.read.move.count()
const paid = () => world.wallets.payments.map(({ by, to, amount }) => [...by, to, amount])
const OVER = 5 * 60_000

/** Restores the book in its present state, as if from a backup. */
async function restore(): Promise<void> {
  await world.pass(1_000)
  await markRestored(world.database, {
    ...{ madeAt: new Date(world.clock.now()).toISOString(), now: new Date(world.clock.now()), paused: false },
  })
}

describe('a drop from a member’s own wallet', () => {
  it('pays each share when it is claimed, and moves no sats in the book', async () => {
    const drop = await open()
    expect(drop).toMatchObject({ share: 300_000n, shares: 2, payments: [], state: 'open' })
    expect(alice.asked).not.toContain('pay_invoice')
    const share = await claim(drop.id, 'bob')
    expect(share).toMatchObject({ chance: 'given', payment: { recipient: 'bob', state: 'asked' }, fromPool: false })
    expect(await shareOf(share)).toMatchObject({ state: 'direct', amount: 300_000n })
    expect(paid()).toEqual([['alice', 'bob', 300_000n]])
    await shareOf(await claim(drop.id, 'carol'))
    expect(await world.tipping.drops.view(drop.id)).toMatchObject({
      ...{ state: 'closed', claimed: 2, returned: 0n },
      payments: [
        { recipient: 'bob', state: 'direct' },
        { recipient: 'carol', state: 'direct' },
      ],
    })
    expect(await moves()).toBe(0)
  })

  it('pays a member one share, however often the member presses the button', async () => {
    const { id } = await open()
    const shares = await Promise.all([claim(id, 'bob', 'press'), claim(id, 'bob', 'press'), claim(id, 'bob')])
    await world.settle()
    expect(new Set([...shares, await claim(id, 'bob')].map((share) => share.id)).size).toBe(1)
    expect(paid()).toEqual([['alice', 'bob', 300_000n]])
  })

  it('refuses a share to a person who has no wallet, until they connect one', async () => {
    const { id } = await open()
    await world.fund('dave', 10)
    await expect(claim(id, 'dave')).rejects.toMatchObject({ code: 'drop-needs-wallet' })
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 0, payments: [] })
    await world.connected('dave')
    expect(await shareOf(await claim(id, 'dave'))).toMatchObject({ state: 'direct' })
  })

  it('voids a share that the giver’s wallet cannot pay, and shows the reason', async () => {
    alice.payFaults.push({ error: 'INSUFFICIENT_BALANCE' })
    const { id } = await open()
    const share = await claim(id, 'bob')
    expect(await shareOf(share)).toMatchObject({ state: 'unpaid', failure: 'insufficient' })
    expect(await world.database.read.card.count({ where: { kind: 'wallet-invoice' } })).toBe(0)
    expect(await claim(id, 'bob')).toMatchObject({ id: share.id })
    await shareOf(await claim(id, 'carol'))
    await world.connected('dave')
    await expect(claim(id, 'dave')).rejects.toMatchObject({ code: 'drop-empty' })
    expect(paid()).toEqual([['alice', 'carol', 300_000n]])
  })

  it('reports a share as paid even if only the receiver’s wallet proves the payment', async () => {
    alice.payFaults.push('answer-lost')
    const { id } = await open()
    expect(await shareOf(await claim(id, 'bob'))).toMatchObject({ state: 'direct' })
    alice.payFaults.push('late')
    const share = await claim(id, 'carol')
    expect(await shareOf(share)).toMatchObject({ state: 'unsure' })
    await world.pass(OVER)
    expect(await shareOf(share)).toMatchObject({ state: 'direct' })
    expect(paid()).toHaveLength(2)
  })

  it('leaves unclaimed shares in the wallet when it ends or is closed', async () => {
    const [timed, closed] = [await open(), await open()]
    expect(await close(closed.id)).toMatchObject({ state: 'closed', returned: 600_000n })
    await shareOf(await claim(timed.id, 'bob'))
    await world.pass(6 * 60_000)
    expect(await world.tipping.drops.view(timed.id)).toMatchObject({ state: 'closed', returned: 300_000n })
    expect(await moves()).toBe(0)
    expect(paid()).toHaveLength(1)
  })

  it('draws the winners among people who can be paid, and pays each winner once', async () => {
    const { id } = await open({ draw: true, shares: 1 })
    expect(await claim(id, 'bob')).toMatchObject({ chance: 'entered', payment: undefined })
    const gone = await claim(id, 'carol')
    await world.tipping.ownWallets.disconnect('carol')
    await world.pass(6 * 60_000)
    await world.settle()
    expect(await world.tipping.drops.view(id)).toMatchObject({ winners: ['bob'], payments: [{ state: 'direct' }] })
    expect(await world.tipping.drops.claimView(gone.id)).toMatchObject({ chance: 'missed', payment: undefined })
    expect(paid()).toEqual([['alice', 'bob', 600_000n]])
    expect(await moves()).toBe(0)
  })

  it('gives out no share once the giver’s wallet is disconnected', async () => {
    const { id } = await open()
    await world.tipping.ownWallets.disconnect('alice')
    await expect(claim(id, 'bob')).rejects.toMatchObject({ code: 'drop-wallet-gone' })
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 0 })
  })

  it('gives out no share after a restore, since the restored book may lack payments', async () => {
    const [first, draw] = [await open(), await open({ draw: true, shares: 1 })]
    await claim(draw.id, 'bob')
    await restore()
    await expect(claim(first.id, 'carol')).rejects.toMatchObject({ code: 'drop-over' })
    await world.pass(6 * 60_000)
    await world.settle()
    expect(await world.tipping.drops.view(draw.id)).toMatchObject({ state: 'closed', winners: [] })
    expect(paid()).toEqual([])
  })

  it('appears on leaderboards and in the history only with its paid shares', async () => {
    const { id } = await open()
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    await shareOf(await claim(id, 'bob'))
    await shareOf(await claim(id, 'carol'))
    expect(await world.tipping.insights.leaderboard('guild', 'week')).toMatchObject({
      tippers: [{ member: 'alice', amount: 300_000n }],
      receivers: [{ member: 'carol', amount: 300_000n }],
    })
    const { lines } = await world.tipping.history.page('carol', 0)
    expect(lines).toMatchObject([{ what: 'drop-share', who: 'alice', amount: 300_000n, balance: undefined }])
  })
})

describe('the source of a drop’s sats', () => {
  it('is the balance if the balance suffices, so that everybody can claim a share', async () => {
    await world.fund('alice', 600)
    expect(await open()).toMatchObject({ payments: undefined })
    expect(await world.available('alice')).toBe(0n)
    expect(await open()).toMatchObject({ payments: [] })
  })

  it('is the wallet or the balance if the giver chooses one of them', async () => {
    await world.fund('alice', 600)
    expect(await open({ source: 'wallet' })).toMatchObject({ payments: [] })
    await expect(open({ source: 'balance', amount: '700' })).rejects.toMatchObject({ code: 'insufficient-funds' })
  })

  it.each([{ amount: 'all' }, { codes: true }])('cannot be a wallet if the command has %o', async (more) => {
    await expect(open({ source: 'wallet', ...more })).rejects.toMatchObject({ code: 'gift-needs-balance' })
  })

  it('is reported as missing if the giver chooses a wallet that cannot pay', async () => {
    await world.connected('eve', { methods: ['get_info', 'make_invoice', 'lookup_invoice'] })
    await expect(open({ member: 'eve', source: 'wallet' })).rejects.toMatchObject({ code: 'own-wallet-missing' })
    await expect(open({ member: 'eve' })).rejects.toMatchObject({ code: 'insufficient-funds' })
  })

  it('does not change while a large drop waits for its confirmation', async () => {
    const command = { member: 'alice', amount: '20000', shares: 2, origin: world.origin() }
    const asked = await world.tipping.drops.ask(command)
    if (!('asked' in asked)) throw new Error('it was not asked about')
    expect(asked).toMatchObject({ total: 20_000_000n, source: 'wallet' })
    await world.fund('alice', 30_000)
    const word = { asked: asked.asked, member: 'alice' }
    const [one, other] = await Promise.all([
      world.tipping.drops.confirm({ ...word, origin: world.origin() }),
      world.tipping.drops.confirm({ ...word, origin: world.origin() }),
    ])
    expect(one).toMatchObject({ id: other.id, payments: [] })
    expect(await world.available('alice')).toBe(30_000_000n)
  })
})

describe('the daily allowance of a giver whose wallet pays a drop', () => {
  beforeEach(async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(1_000) } })
  })

  it('is reduced by the drop’s whole sum when the drop opens', async () => {
    await open({ amount: '900', shares: 3 })
    await expect(open({ amount: '200' })).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('regains the sats of a void share only for the day on which the drop opened', async () => {
    const { id } = await open({ amount: '1000', shares: 2, minutes: 3 * 24 * 60 })
    for (let hours = 0; hours < 25; hours += 1) await world.pass(3_600_000)
    alice.payFaults.push({ error: 'INSUFFICIENT_BALANCE' })
    const today = await open({ amount: '1000', shares: 2 })
    expect(await shareOf(await claim(id, 'bob'))).toMatchObject({ state: 'unpaid' })
    await expect(open({ amount: '100' })).rejects.toMatchObject({ code: 'limit-reached' })
    alice.payFaults.push({ error: 'INSUFFICIENT_BALANCE' })
    expect(await shareOf(await claim(today.id, 'bob'))).toMatchObject({ state: 'unpaid' })
    expect(await open({ amount: '500' })).toMatchObject({ state: 'open' })
  })
})

describe('a process that dies while a wallet pays a share', () => {
  it.each([
    [1, 'before', undefined],
    [1, 'after', 'direct'],
    [2, 'before', 'direct'],
    [2, 'after', 'unpaid'],
    [3, 'before', 'direct'],
    [3, 'after', 'direct'],
  ] as const)('leaves the share in the right state (at commit %i, just %s it): %s', async (commit, moment, state) => {
    const { id } = await open()
    const died = world.dieAtCommit(commit, moment)
    void claim(id, 'bob', 'press')
    await died
    await world.reborn()
    await world.pass(OVER)
    const [share] = (await world.tipping.drops.view(id)).payments ?? []
    expect(share?.state).toBe(state)
    expect(paid()).toEqual(state === 'direct' ? [['alice', 'bob', 300_000n]] : [])
  })
})

describe('a drop from a server that has its own wallet', () => {
  const openFromServer = (more: Partial<DropCommand> = {}) =>
    world.tipping.drops.openFromPool({
      ...{ member: 'mod', amount: '600', shares: 2, minutes: 5, origin: world.origin() },
      ...{ pool: { guild: 'guild', roles: ['staff'], reason: 'for all' }, ...more },
    })
  let server: ScriptedWallet

  beforeEach(async () => {
    await world.tipping.pools.budget({ guild: 'guild', member: 'owner', role: 'staff', amount: '1000', period: 'day' })
    server = world.wallets.add('server:guild')
    const { token } = await world.tipping.ownWallets.invite({ member: 'mod', guild: 'guild', locale: 'en' })
    expect(await world.tipping.ownWallets.connect({ token, text: server.uri })).toMatchObject({ guild: 'guild' })
  })

  it('pays each share from the wallet, and uses budget for all shares when it opens', async () => {
    const drop = await openFromServer()
    if (!('shares' in drop)) throw new Error('it waits')
    expect(drop).toMatchObject({ payments: [], reason: 'for all' })
    await expect(openFromServer()).rejects.toMatchObject({ code: 'budget-exhausted' })
    const share = await claim(drop.id, 'bob')
    expect(share).toMatchObject({ fromPool: true })
    expect(await shareOf(share)).toMatchObject({ state: 'direct' })
    expect(paid()).toEqual([['server:guild', 'bob', 300_000n]])
    expect(await moves()).toBe(0)
  })

  it('returns the sats of a void share to the budget', async () => {
    const drop = await openFromServer()
    server.payFaults.push({ error: 'INSUFFICIENT_BALANCE' })
    const share = await claim('shares' in drop ? drop.id : '', 'bob')
    expect(await shareOf(share)).toMatchObject({ state: 'unpaid' })
    expect(await openFromServer({ amount: '700' })).toMatchObject({ payments: [] })
  })

  it('waits for a second moderator if it exceeds the server’s limit', async () => {
    await world.tipping.preferences.changeServer({
      ...{ guild: 'guild', member: 'owner' },
      change: { approvalAbove: sats(100) },
    })
    const asked = await openFromServer()
    if (!('reward' in asked)) throw new Error('it does not wait')
    expect(server.asked).not.toContain('pay_invoice')
    const { record } = await world.tipping.rewards.approve({ reward: asked.reward, member: 'other' })
    const drop = await world.tipping.drops.view(record ?? '')
    expect(drop).toMatchObject({ payments: [], state: 'open' })
    expect(await shareOf(await claim(drop.id, 'carol'))).toMatchObject({ state: 'direct' })
    expect(paid()).toEqual([['server:guild', 'carol', 300_000n]])
  })

  it('comes from the pool if the pool suffices', async () => {
    await world.fund('donor', 1_000)
    await world.tipping.pools.give({ guild: 'guild', member: 'donor', amount: 'all', origin: world.origin() })
    expect(await openFromServer()).toMatchObject({ payments: undefined })
  })
})

describe('a drop in a bot without custody', () => {
  beforeEach(async () => {
    await world.tipping.close()
    await world.start({ custody: 'none' })
  })

  it('is paid by its giver’s wallet', async () => {
    const { id } = await open()
    expect(await shareOf(await claim(id, 'bob'))).toMatchObject({ state: 'direct' })
    await expect(claim(id, 'newcomer')).rejects.toMatchObject({ code: 'drop-needs-wallet' })
  })

  it('is refused if the wallet is missing, or if no wallet can fulfil its terms', async () => {
    await expect(open({ member: 'newcomer' })).rejects.toMatchObject({ code: 'own-wallet-needed' })
    for (const more of [{ codes: true }, { amount: 'all' }, { source: 'balance' }] as const)
      await expect(open(more)).rejects.toMatchObject({ code: 'gift-needs-balance' })
    const pool = { guild: 'guild', roles: ['staff'], reason: 'for all' }
    const command = { member: 'mod', amount: '60', shares: 2, origin: world.origin(), pool }
    await expect(world.tipping.drops.openFromPool(command)).rejects.toMatchObject({ code: 'server-wallet-needed' })
  })
})
