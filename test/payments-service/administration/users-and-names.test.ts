import { beforeEach, describe, expect, it } from 'vitest'
import type { AccountName } from '../../../src/ledger/ledger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { NODE, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { hashSecret } from '../../../src/payments-service/core/secrets.ts'
import { AdministrationWorld, MORE_THAN_A_PAGE, refusalOf } from './administration-world.ts'

let world: AdministrationWorld
beforeEach(async () => {
  world = await AdministrationWorld.open()
})
const A_GAMERTAG = 'A gamertag must consist of 3 to 30 letters, digits, underscores or hyphens.'
const users = () => world.administration.listUsers()

describe('the names of a project’s users', () => {
  it('can all be released, except the names of users who have ever had sats', async () => {
    const { administration } = world
    const { projectId } = await administration.createProject('A shop')
    const openers = ['rich', 'spent', 'idle', 'idler'].map((reference) => ({ projectId, reference }))
    const [rich, spent] = await Promise.all(
      openers.map((opener) => administration.createUser(`name-of-${opener.reference}`, false, opener)),
    )
    const outsider = await administration.createUser('outsider')
    await administration.renameUser(
      (await administration.createUser('former', false, { projectId, reference: 'x' })).userId,
      'latter',
    )
    const pay = (from: AccountName, to: AccountName) =>
      world.ledger.commit({
        entries: [{ operation: `${from.owner}:${to.owner}`, step: 'post', moves: [{ from, to, amount: sats(1) }] }],
      })
    const [ofRich, ofSpent] = [rich, spent].map((user) => wallet({ kind: 'user', id: user?.userId ?? '' }))
    await pay(NODE, ofRich as AccountName)
    await pay(NODE, ofSpent as AccountName)
    await pay(ofSpent as AccountName, ofRich as AccountName)
    expect(await administration.takeNames(projectId)).toEqual({ projectId, taken: 3, kept: 2 })
    const names = (await users()).map(({ gamertag }) => gamertag)
    expect(names).toEqual([
      ...['name-of-rich', 'name-of-spent', 'outsider'],
      ...Array(3).fill(expect.stringMatching(/^tipper-[0-9a-f]{16}$/)),
    ])
    expect((await administration.renameUser(outsider.userId, 'name-of-idle')).gamertag).toBe('name-of-idle')
    expect((await administration.renameUser(outsider.userId, 'former')).gamertag).toBe('former')
  })

  it('cannot be released if the project is unknown', async () => {
    expect(await refusalOf(world.administration.takeNames('nobody'))).toContain('"project list" shows all projects')
  })
})

describe('a user', () => {
  it('is created by an operator with a one-day sign-in link and without a project', async () => {
    const made = await world.administration.createUser('Alice')
    expect(made).toEqual({ userId: expect.any(String), gamertag: 'Alice', token: expect.any(String) })
    const createdAt = world.time()
    expect(await users()).toEqual([{ userId: made.userId, gamertag: 'Alice', createdAt: createdAt.toISOString() }])
    expect(await world.database.read.user.findMany()).toEqual([
      { id: made.userId, gamertag: 'Alice', createdAt, projectId: null, reference: null },
    ])
    expect(await world.database.read.signInToken.findMany()).toMatchObject([
      { userId: made.userId, hash: hashSecret(made.token), expiresAt: world.time(86_400_000) },
    ])
  })

  it('is created for the given project with the given reference', async () => {
    const { projectId } = await world.administration.createProject('The bot')
    await world.administration.createUser('alice', false, { projectId, reference: 'discord-1' })
    expect(await world.database.read.user.findMany()).toMatchObject([{ projectId, reference: 'discord-1' }])
  })

  it('must have a name of 3 to 30 permitted characters', async () => {
    const { userId } = await world.administration.createUser('alice')
    for (const gamertag of ['!alice', 'alice!', 'al', 'x'.repeat(31)]) {
      expect(await refusalOf(world.administration.createUser(gamertag))).toBe(A_GAMERTAG)
      expect(await refusalOf(world.administration.renameUser(userId, gamertag))).toBe(A_GAMERTAG)
    }
    await world.administration.createUser('A-z_0'.repeat(6))
    await world.administration.createUser('bob')
    expect((await users()).map(({ gamertag }) => gamertag)).toEqual(['A-z_0'.repeat(6), 'alice', 'bob'])
  })

  it('can be renamed and given a sign-in link and a link code without affecting others', async () => {
    const { userId } = await world.administration.createUser('alice')
    await world.administration.createUser('bob')
    expect(await world.administration.renameUser(userId, 'alicia')).toEqual({ userId, gamertag: 'alicia' })
    const linked = await world.administration.userToken(userId)
    expect(linked).toEqual({ userId, token: expect.any(String) })
    const hash = hashSecret(linked.token)
    expect(await world.database.read.signInToken.findUnique({ where: { hash } })).toMatchObject({ userId })
    const shown = await world.administration.linkCode(userId)
    expect(shown).toEqual({ userId, code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/) })
    expect(await world.database.read.linkCode.findMany()).toMatchObject([{ userId }])
    expect((await users()).map(({ gamertag }) => gamertag)).toEqual(['alicia', 'bob'])
  })

  it('that does not exist cannot be changed, and the refusal says where to look', async () => {
    const { administration } = world
    const asked = [
      () => administration.renameUser('nobody', 'alice'),
      () => administration.userToken('nobody'),
      () => administration.linkCode('nobody'),
    ]
    for (const ask of asked)
      expect(await refusalOf(ask())).toBe('There is no user nobody. "user list" shows all users.')
    const { linkCode, signInToken } = world.database.read
    expect([await linkCode.count(), await signInToken.count()]).toEqual([0, 0])
  })

  it('is listed by gamertag with its creation date, in pages of 1,000', async () => {
    const ids = Array.from({ length: MORE_THAN_A_PAGE }, (_, at) => `u${String(at).padStart(4, '0')}`)
    const rows = ids.toReversed().map((id, at) => ({ id, gamertag: id.toUpperCase(), createdAt: world.time(at) }))
    await world.haveMany('User', rows)
    const names = rows.map(({ id, gamertag }) => ({ folded: id, display: gamertag, userId: id }))
    await world.haveMany('Name', names)
    const lines = await users()
    expect(lines.map(({ userId }) => userId)).toEqual(ids.slice(0, 1_000))
    expect(lines[0]).toEqual({ userId: 'u0000', gamertag: 'U0000', createdAt: world.time(1_000).toISOString() })
    expect(await world.administration.listUsers('U0999')).toEqual([
      { userId: 'u1000', gamertag: 'U1000', createdAt: world.time().toISOString() },
    ])
  })
})

describe('a name', () => {
  it('is released only if it is reserved; any other release is refused with advice', async () => {
    const { administration } = world
    const { userId } = await administration.createUser('alice')
    expect(await refusalOf(administration.releaseName('alice'))).toBe(
      '"alice" is a user\'s gamertag. Rename the user first, with "user rename".',
    )
    expect(await refusalOf(administration.releaseName('alicia'))).toBe(
      'Nobody has the name "alicia", so there is nothing to release.',
    )
    await administration.renameUser(userId, 'alicia')
    expect(await administration.releaseName('alice')).toEqual({ name: 'alice', reservedUntil: null })
    await administration.createUser('alice')
  })
})
