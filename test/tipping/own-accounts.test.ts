import { beforeEach, describe, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
})

const link = (member: string, gamertag: string, code?: string) =>
  world.tipping.links.link({ member, gamertag, code, origin: world.origin() })
const command = (member: string, name = member) => ({ member, name, origin: world.origin() })

describe('a gamertag at a provider that can confirm gamertags', () => {
  beforeEach(() => {
    world.provider.users.offered = true
  })

  it('can be linked only with the code from its wallet page', async () => {
    const id = world.provider.user('satoshi')
    world.provider.users.codes.set(id, '7KQM-2XPD')
    const facts = { gamertag: 'satoshi' }
    await expect(link('bob', 'satoshi')).rejects.toMatchObject({ code: 'gamertag-unproven', facts })
    await expect(link('bob', 'satoshi', '1111-1111')).rejects.toMatchObject({ code: 'gamertag-code-wrong', facts })
    expect(await link('bob', '@satoshi', ' 7KQM-2XPD ')).toEqual({ lightningId: id, gamertag: 'satoshi', proven: true })
    const body = { gamertag: 'satoshi', reference: 'bob', code: '7KQM-2XPD' }
    expect(world.provider.calls.findLast(({ operation }) => operation === 'proveGamertag')).toMatchObject({ body })
  })

  it.each(['', '7KQM 2XPD', '!7KQM', '7KQM!', 'x'.repeat(41), 'né'])(
    'is refused without a request to the provider if the code is malformed: %j',
    async (code) => {
      world.provider.user('satoshi')
      const refused = { code: 'gamertag-code-wrong', facts: { gamertag: 'satoshi' } }
      await expect(link('bob', 'satoshi', code)).rejects.toMatchObject(refused)
      expect(world.provider.count('proveGamertag')).toBe(0)
    },
  )

  it('is refused if no wallet has it', async () => {
    const refused = { code: 'gamertag-not-found', facts: { gamertag: 'nobody' } }
    await expect(link('bob', 'nobody', '7KQM-2XPD')).rejects.toMatchObject(refused)
    expect(world.provider.count('getIdByGamertag')).toBe(0)
  })

  it.each(['x', 'a.b', 'x'.repeat(31)])(
    'is refused without a request to the provider if it is malformed: %s',
    async (gamertag) => {
      await expect(link('bob', gamertag, '7KQM-2XPD')).rejects.toMatchObject({ code: 'gamertag-malformed' })
      expect(world.provider.count('proveGamertag')).toBe(0)
    },
  )

  it('is refused with an explanation if the provider refuses it or is unreachable', async () => {
    world.provider.misbehave('proveGamertag', { refuse: 403, message: 'Not for you.', code: 'missing_scope' })
    await expect(link('bob', 'satoshi')).rejects.toMatchObject({ code: 'provider-refused' })
    world.provider.misbehave('proveGamertag', { refuse: 503, message: 'Later.' })
    await expect(world.run(link('bob', 'satoshi'))).rejects.toMatchObject({ code: 'provider-unreachable' })
  })

  it('moves to the member who proves it, and the member who had linked it is notified', async () => {
    const id = world.provider.user('satoshi')
    world.provider.users.codes.set(id, '7KQM-2XPD')
    world.provider.users.offered = false
    expect(await link('mallory', 'satoshi')).toMatchObject({ proven: false })
    world.provider.users.offered = true
    expect(await link('bob', 'satoshi', '7KQM-2XPD')).toMatchObject({ lightningId: id, proven: true })
    expect((await world.tipping.balances.view('mallory')).link).toBeUndefined()
    expect((await world.tipping.balances.view('bob')).link).toEqual({ lightningId: id, gamertag: 'satoshi' })
    const cards = (await world.tipping.cards.pending(10)).filter(({ kind }) => kind === 'link-ended')
    expect(cards).toMatchObject([{ audience: { member: 'mallory' } }])
    expect(await link('bob', 'satoshi', '7KQM-2XPD')).toMatchObject({ lightningId: id })
    expect(await world.tipping.links.isLinked('bob')).toBe(true)
  })
})

describe('a wallet that a member requests with /wallet', () => {
  it('is opened once; each use shows a sign-in link and whether the wallet is linked', async () => {
    world.provider.users.offered = true
    await world.linked('bob')
    const open = () => world.tipping.links.openWallet(command('bob', 'Bób the 1st!'))
    const first = await open()
    const id = world.provider.idOf('Bob-the-1st') ?? ''
    const until = new Date(world.clock.now() + 600_000)
    const same = { url: `https://wallet.test/${id}`, until, gamertag: 'Bob-the-1st' }
    expect(first).toEqual({ ...same, isNew: true, isLinked: false })
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    expect(await open()).toEqual({ ...same, isNew: false, isLinked: false })
    expect(await world.tipping.links.linkOwnAccount(command('bob'))).toEqual({
      lightningId: id,
      gamertag: 'Bob-the-1st',
    })
    expect(await open()).toEqual({ ...same, isNew: false, isLinked: true })
    expect(world.provider.users.waysIn).toEqual([id, id, id])
    await world.fund('alice', 100)
    await world.tip('alice', 'bob', '10')
    expect(world.received(id)).toBe(10_000n)
  })

  it('can be linked by its member, which ends another member’s link to it', async () => {
    world.provider.users.offered = true
    const { gamertag } = await world.tipping.links.openWallet(command('bob'))
    world.provider.users.offered = false
    await link('mallory', gamertag)
    world.provider.users.offered = true
    await world.tipping.links.linkOwnAccount(command('bob'))
    expect(await world.tipping.links.isLinked('mallory')).toBe(false)
    expect(await world.tipping.links.isLinked('bob')).toBe(true)
  })

  it.each([
    ['Bób_1', 'Bob_1'],
    ['--a b.c--', 'a-b-c'],
    ['a ★ b', 'a-b'],
    ['abc', 'abc'],
    ['ab', 'member'],
    ['日本語', 'member'],
    ['x'.repeat(31), 'x'.repeat(30)],
  ])('gets a valid gamertag for a member named %s: %s', async (name, gamertag) => {
    world.provider.users.offered = true
    expect((await world.tipping.links.openWallet(command('bob', name))).gamertag).toBe(gamertag)
  })

  it('is refused with an explanation if its sign-in link would never expire', async () => {
    world.provider.users.offered = true
    world.provider.misbehave('createSignInLink', { answer: { expiresAt: null } })
    await expect(world.tipping.links.openWallet(command('bob'))).rejects.toMatchObject({ code: 'wallet-not-offered' })
  })

  it('is refused with an explanation if the provider opens no wallets', async () => {
    await expect(world.tipping.links.openWallet(command('bob'))).rejects.toMatchObject({ code: 'wallet-not-offered' })
    await expect(world.tipping.links.linkOwnAccount(command('bob'))).rejects.toMatchObject({
      code: 'wallet-not-offered',
    })
  })

  it('is refused with an explanation while the provider is unreachable', async () => {
    await world.provider.down()
    const asked = world.run(world.tipping.links.openWallet(command('bob')))
    await expect(asked).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.provider.up()
  })
})
