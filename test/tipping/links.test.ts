import { beforeEach, describe, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
})

const link = (member: string, gamertag: string) =>
  world.tipping.links.link({ member, gamertag, origin: world.origin() })

describe('a link', () => {
  it('binds a member to the owner of a gamertag, even if the gamertag changes', async () => {
    const id = world.provider.user('Satoshi')
    expect(await link('bob', ' @satoshi ')).toEqual({
      lightningId: id,
      gamertag: 'satoshi',
      proven: false,
    })
    world.provider.rename(id, 'nakamoto')
    expect((await world.tipping.balances.view('bob')).link).toEqual({ lightningId: id, gamertag: 'nakamoto' })
  })

  it('shows the last known gamertag while the provider is away', async () => {
    const id = world.provider.user('satoshi')
    await link('bob', 'satoshi')
    await world.provider.down()
    expect((await world.run(world.tipping.balances.view('bob'))).link).toEqual({ lightningId: id, gamertag: 'satoshi' })
    await world.provider.up()
  })

  it('remembers the newest gamertag of its own account', async () => {
    const [bob, carol] = [await world.linked('bob'), await world.linked('carol')]
    world.provider.rename(bob, 'robert')
    await world.tipping.balances.view('bob')
    await world.provider.down()
    const linkOf = async (member: string) => (await world.run(world.tipping.balances.view(member))).link
    expect(await linkOf('bob')).toEqual({ lightningId: bob, gamertag: 'robert' })
    expect(await linkOf('carol')).toEqual({ lightningId: carol, gamertag: 'carol-tag' })
    await world.provider.up()
  })

  it('gets the current name and is unfrozen when it is made again', async () => {
    const id = await world.linked('bob')
    await world.fund('alice', 100)
    await world.database.write.link.updateMany({ data: { frozenAt: new Date(world.clock.now()) } })
    expect((await world.tip('alice', 'bob', '10')).shares[0]?.state).toBe('credited')
    world.provider.rename(id, 'robert')
    await link('bob', 'robert')
    expect(await world.database.read.link.findMany()).toMatchObject([{ gamertag: 'robert', endedAt: null }])
    expect((await world.tip('alice', 'bob', '10')).shares[0]?.state).toBe('paid')
  })

  it('stays with its member if another member requests it without proof', async () => {
    await world.linked('bob')
    const refused = { code: 'gamertag-linked-elsewhere', facts: { gamertag: 'bob-tag' } }
    await expect(link('mallory', 'BOB-tag')).rejects.toMatchObject(refused)
    expect(await world.tipping.links.isLinked('bob')).toBe(true)
    expect(await world.tipping.links.isLinked('mallory')).toBe(false)
  })

  it('is refused with the provider’s message if neither name nor owner is at fault', async () => {
    world.provider.misbehave('getIdByGamertag', { refuse: 400, message: 'No such name.' })
    await expect(link('bob', 'satoshi')).rejects.toMatchObject({ code: 'gamertag-malformed' })
    world.provider.misbehave('getIdByGamertag', { refuse: 403, message: 'Not for you.' })
    const refused = { code: 'provider-refused', facts: { message: 'Not for you.' } }
    await expect(link('bob', 'satoshi')).rejects.toMatchObject(refused)
    // A web server in between may know no such path, which says nothing of the name.
    world.provider.misbehave('getIdByGamertag', { refuse: 404, message: '' })
    await expect(link('bob', 'satoshi')).rejects.toMatchObject({ code: 'provider-unreachable' })
  })

  it('is reported as missing if it was never made', async () => {
    await expect(world.tipping.links.endedLink('never')).rejects.toMatchObject({ code: 'not-there' })
  })

  it('is ended by unlinking, and the answer names a linked Lightning Address', async () => {
    await world.tipping.balances.view('bob')
    await world.database.write.member.update({ where: { id: 'bob' }, data: { forwardTo: 'bob@example.com' } })
    const unlink = () => world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    expect(await unlink()).toEqual({ address: 'bob@example.com' })
    await expect(unlink()).rejects.toMatchObject({ code: 'not-linked' })
  })

  it('cannot be ended by another member, whether or not that member has a link', async () => {
    await world.tipping.balances.view('alice')
    await world.tipping.balances.view('bob')
    await world.database.write.member.update({ where: { id: 'alice' }, data: { forwardTo: 'alice@example.com' } })
    const unlink = (member: string) => world.tipping.links.unlink({ member, origin: world.origin() })
    for (const member of ['bob', 'nobody']) await expect(unlink(member)).rejects.toMatchObject({ code: 'not-linked' })
    await world.linked('bob')
    await unlink('bob')
    const alice = await world.database.read.member.findFirst({ where: { id: 'alice' } })
    expect(alice).toMatchObject({ forwardTo: 'alice@example.com' })
  })

  it('is replaced by a second link, and the first one is remembered', async () => {
    await world.linked('carol')
    const [one, two] = [world.provider.user('one'), world.provider.user('two')]
    await link('bob', 'one')
    expect((await link('bob', 'two')).lightningId).toBe(two)
    expect(await world.tipping.links.isLinked('carol')).toBe(true)
    const links = await world.database.read.link.findMany({ where: { member: 'bob' }, orderBy: { createdAt: 'asc' } })
    expect(links.map((row) => [row.lightningId, row.endedAt !== null]).sort()).toEqual(
      [
        [one, true],
        [two, false],
      ].sort(),
    )
  })

  it.each(['', '  ', 'a b', '../wallet', '..', 'x'.repeat(65), 'né', 'a/b', 'a@b', '<script>'])(
    'is refused as malformed if %j is typed',
    async (gamertag) => {
      const facts = { gamertag: gamertag.trim().slice(0, 64) }
      await expect(link('bob', gamertag)).rejects.toMatchObject({ code: 'gamertag-malformed', facts })
      expect(world.provider.count('getIdByGamertag')).toBe(0)
    },
  )

  it('is refused for an on-chain address with an explanation of its own', async () => {
    const text = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
    const facts = { text }
    await expect(link('bob', text)).rejects.toMatchObject({ code: 'destination-on-chain', facts })
  })

  it.each(['.satoshi', 'satoshi.', 'x'])(
    'belongs to the owner of %j if the provider has such a name',
    async (gamertag) => {
      const id = world.provider.user(gamertag)
      expect((await link('bob', gamertag)).lightningId).toBe(id)
    },
  )

  it.each(['x', 'a.b', 'x'.repeat(31)])(
    'is refused with the rule for names if %j, which nobody has, is typed',
    async (gamertag) => {
      await expect(link('bob', gamertag)).rejects.toMatchObject({ code: 'gamertag-malformed', facts: { gamertag } })
    },
  )

  it('can be ended by an operator, which frees its account and notifies its member', async () => {
    const id = world.provider.user('satoshi')
    await link('mallory', 'satoshi')
    const release = (reason: string) => world.tipping.links.release({ operator: 'olga', gamertag: '@satoshi', reason })
    const tooLong = { code: 'text-too-long', facts: { what: 'reason', most: 300 } }
    await expect(release('x'.repeat(301))).rejects.toMatchObject(tooLong)
    expect(await release(` ${'she has'.padEnd(300, '!')} `)).toEqual({ lightningId: id, gamertag: 'satoshi' })
    expect((await world.tipping.balances.view('mallory')).link).toBeUndefined()
    const [alert, ...more] = await world.tipping.administration.untoldAlerts(10)
    expect(alert).toMatchObject({
      kind: 'link-ended',
      text: expect.stringMatching(/olga .*mallory to satoshi: she has/),
    })
    expect(more).toEqual([])
    const cards = (await world.tipping.cards.pending(10)).filter(({ kind }) => kind === 'link-ended')
    expect(cards).toMatchObject([{ audience: { member: 'mallory' } }])
    expect(await world.tipping.links.endedLink(cards[0]?.record ?? '')).toEqual({ gamertag: 'satoshi' })
    await expect(release('again')).rejects.toMatchObject({
      code: 'gamertag-not-linked',
      facts: { gamertag: 'satoshi' },
    })
    expect((await link('alice', 'satoshi')).lightningId).toBe(id)
  })

  it.each(['nobody', 'a.b', '@'])('cannot be ended by an operator for %j, which no wallet has', async (gamertag) => {
    const command = { operator: 'olga', gamertag, reason: 'she says so' }
    await expect(world.tipping.links.release(command)).rejects.toMatchObject({ code: 'gamertag-not-linked' })
  })

  it('is refused for a gamertag that nobody has', async () => {
    await expect(link('bob', 'nobody')).rejects.toMatchObject({
      code: 'gamertag-not-found',
      facts: { gamertag: 'nobody' },
    })
  })

  it('is refused while the provider is away', async () => {
    await world.provider.down()
    await expect(world.run(link('bob', 'satoshi'))).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.provider.up()
  })

  it('ends only once, even if unlinking is repeated', async () => {
    const id = world.provider.user('satoshi')
    await link('bob', 'satoshi')
    const unlink = () => world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    expect(await unlink()).toEqual({ lightningId: id, gamertag: 'satoshi' })
    expect((await world.tipping.balances.view('bob')).link).toBeUndefined()
    await expect(unlink()).rejects.toMatchObject({ code: 'not-linked' })
  })

  it('makes a newcomer a user of the bot', async () => {
    await world.fund('alice', 100)
    world.provider.user('satoshi')
    await link('bob', 'satoshi')
    expect((await world.tip('alice', 'bob', '10')).shares[0]?.state).toBe('paid')
  })
})
