import { beforeEach, describe, expect, it } from 'vitest'
import {
  createNameDirectory,
  listFormerNames,
  listGamertags,
  renameOneself,
  renameUser,
  type takeName,
} from '../../src/payments-service/engine/names/gamertags.ts'
import { releaseName, releaseOwnName, takeIdentifier } from '../../src/payments-service/engine/names/identifiers.ts'
import { ServiceWorld } from './harness.ts'

let world: ServiceWorld
beforeEach(async () => {
  world = await ServiceWorld.open()
})
type Tx = Parameters<typeof takeName>[1]
const DAY_MS = 24 * 3_600_000
const parts = () => world.service.parts
const write = <T>(change: (tx: Tx) => Promise<T>) => parts().ledger.commit({ write: change })
const rename = (id: string, display: string) => write((tx) => renameUser(parts(), tx, id, { display }))
const renameMyself = (id: string, display: string) => write((tx) => renameOneself(parts(), tx, id, display))
const directory = () => createNameDirectory(parts().database)
const TAKEN = { code: 'identifier_taken' }

/** Creates a project's static charge with this identifier; returns its id. */
async function charge(apiKey: string, identifier: string): Promise<string> {
  const body = { minAmount: '1000', maxAmount: '9000', description: 'x', identifier }
  return (await world.raw('POST', '/v0/static-charges', { apiKey, body })).json.data.id
}

describe('the directory of names', () => {
  it('finds the owner of a name in any letter case, but none for a reserved name', async () => {
    const { apiKey } = await world.project()
    const [alice, bob] = [await world.user('Alice'), await world.user('bob')]
    const coffee = await charge(apiKey, 'coffee')
    await rename(bob, 'bobby')
    const { find, userId } = directory()
    // Those of the same moment are one question.
    const found = await Promise.all(['aLICE', 'coffee', 'bob', 'BOBBY', 'nobody'].map(find))
    expect(found).toEqual([
      { display: 'Alice', userId: alice, staticChargeId: undefined },
      { display: 'coffee', userId: undefined, staticChargeId: coffee },
      undefined,
      { display: 'bobby', userId: bob, staticChargeId: undefined },
      undefined,
    ])
    expect(await userId('alice')).toBe(alice)
    for (const name of ['bob', 'coffee', 'nobody']) {
      await expect(userId(name)).rejects.toMatchObject({
        code: 'gamertag_not_found',
        message: 'Nobody has this gamertag. Check the spelling.',
      })
    }
  })

  it('lists gamertags in order after a given gamertag and omits reserved names', async () => {
    const { apiKey } = await world.project()
    const ids = new Map<string, string>()
    for (const name of ['dora', 'Berta', 'anna', 'cleo']) ids.set(name, await world.user(name))
    await charge(apiKey, 'coffee')
    await rename(ids.get('anna') ?? '', 'emil')
    const list = (after: string, most: number) => listGamertags(parts().database.read, after, most)
    const line = (gamertag: string, id = gamertag) => ({ gamertag, userId: ids.get(id) })
    expect(await list('', 9)).toEqual([line('Berta'), line('cleo'), line('dora'), line('emil', 'anna')])
    expect(await list('BERTA', 2)).toEqual([line('cleo'), line('dora')])
  })
})

describe('a name', () => {
  it('belongs to its owner in any letter case and stays reserved after a change', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    await rename(alice, 'ALICE')
    expect(await listFormerNames(parts(), alice)).toEqual([])
    await rename(alice, 'alicia')
    const reservedUntil = new Date(world.clock.now() + 30 * DAY_MS)
    expect(await listFormerNames(parts(), alice)).toEqual([{ display: 'ALICE', reservedUntil }])
    expect(await listFormerNames(parts(), bob)).toEqual([])
    await expect(rename(bob, 'alice')).rejects.toMatchObject({
      ...TAKEN,
      message: 'The name "alice" is taken or reserved. Choose another one.',
    })
    await rename(alice, 'alice')
    expect((await listFormerNames(parts(), alice)).map(({ display }) => display)).toEqual(['alicia'])
    expect((await parts().database.read.user.findUniqueOrThrow({ where: { id: alice } })).gamertag).toBe('alice')
  })

  it('becomes free once 30 days have passed in the book’s time and on the clock', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    await rename(alice, 'alicia')
    // A clock that stands ahead makes nothing free: the book knows no such time.
    world.clock.jump(31 * DAY_MS)
    await expect(rename(bob, 'alice')).rejects.toMatchObject(TAKEN)
    world.clock.jump(-31 * DAY_MS)
    await world.leap(30 * DAY_MS - 1)
    await expect(rename(bob, 'alice')).rejects.toMatchObject(TAKEN)
    expect(await listFormerNames(parts(), alice)).toHaveLength(1)
    await world.leap(1)
    expect(await listFormerNames(parts(), alice)).toEqual([])
    await rename(bob, 'alice')
    expect(await directory().userId('alice')).toBe(bob)
  })

  it('becomes free after 30 days on the clock alone if the book has no time', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    await rename(alice, 'alicia')
    world.clock.jump(30 * DAY_MS)
    await write(async (tx) => {
      await tx.bookTime.deleteMany()
      await renameUser(parts(), tx, bob, { display: 'alice' })
    })
    expect(await directory().userId('alice')).toBe(bob)
  })

  it('is listed among its former owner’s names in the order in which they become free', async () => {
    const alice = await world.user('zoe')
    await rename(alice, 'bea')
    await world.leap(DAY_MS)
    await rename(alice, 'carla')
    expect((await listFormerNames(parts(), alice)).map(({ display }) => display)).toEqual(['zoe', 'bea'])
  })

  it('cannot be both an identifier and a user’s gamertag', async () => {
    const { apiKey, projectId } = await world.project()
    const alice = await world.user('alice')
    const coffee = await charge(apiKey, 'coffee')
    await expect(rename(alice, 'coffee')).rejects.toMatchObject(TAKEN)
    for (const name of ['alice', 'coffee', 'admin']) {
      const other = { id: coffee, projectId }
      await expect(write((tx) => takeIdentifier(parts(), tx, other, name))).rejects.toMatchObject(TAKEN)
    }
    expect(await directory().find('coffee')).toMatchObject({ staticChargeId: coffee })
  })

  it('can be given only by an operator if it suggests authority', async () => {
    const alice = await world.user('alice')
    await expect(rename(alice, 'admin')).rejects.toMatchObject(TAKEN)
    await write((tx) => renameUser(parts(), tx, alice, { display: 'admin', reserved: true }))
    await rename(alice, 'ADMIN')
    expect(await directory().userId('admin')).toBe(alice)
  })

  it('cannot be given to a user who does not exist', async () => {
    await expect(rename('nobody', 'bobby')).rejects.toMatchObject({
      code: 'user_not_found',
      message: 'There is no user with this id. Check the id.',
    })
    expect(await directory().find('bobby')).toBeUndefined()
  })
})

describe('a user’s change of name', () => {
  it('is permitted three times in 30 days, then refused with the time left to wait', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    for (const name of ['alice1', 'alice2']) await renameMyself(alice, name)
    await world.leap(2 * DAY_MS)
    await renameMyself(alice, 'alice3')
    const refused = (wait: string, seconds: number) => ({
      code: 'rate_limited',
      message: `A gamertag can be changed 3 times in 30 days. Try again in ${wait}, or ask the person who runs this service to change the gamertag.`,
      headers: { 'retry-after': String(seconds) },
    })
    const DAY = DAY_MS / 1_000
    await expect(renameMyself(alice, 'alice4')).rejects.toMatchObject(refused('28 days', 28 * DAY))
    await renameMyself(bob, 'bobby')
    await world.leap(27 * DAY_MS)
    await expect(renameMyself(alice, 'alice4')).rejects.toMatchObject(refused('a day', DAY))
    await world.leap(DAY_MS - 1)
    await expect(renameMyself(alice, 'alice4')).rejects.toMatchObject(refused('a day', 1))
    await world.leap(1)
    await renameMyself(alice, 'alice4')
  })

  it('counts towards the limit only if it succeeded', async () => {
    const alice = await world.user('alice')
    await world.user('bob')
    for (let times = 0; times < 4; times += 1) await expect(renameMyself(alice, 'bob')).rejects.toMatchObject(TAKEN)
    await renameMyself(alice, 'alicia')
  })
})

describe('a release of a name', () => {
  const release = (name: string) => write((tx) => releaseName(parts(), tx, name))

  it('first reserves an identifier that is in use and, if repeated, frees it', async () => {
    const { apiKey } = await world.project()
    const [id, other] = [await charge(apiKey, 'coffee'), await charge(apiKey, 'cake')]
    const reservedUntil = new Date(world.clock.now() + 30 * DAY_MS).toISOString()
    expect(await release('COFFEE')).toEqual({ name: 'coffee', reservedUntil })
    const identifiers = async () =>
      Promise.all(
        [id, other].map(
          async (id) => (await parts().database.read.staticCharge.findUnique({ where: { id } }))?.identifier,
        ),
      )
    expect(await identifiers()).toEqual([null, 'cake'])
    await expect(charge(apiKey, 'coffee')).rejects.toThrow()
    await expect(rename(await world.user('alice'), 'coffee')).rejects.toMatchObject(TAKEN)
    expect(await release('coffee')).toEqual({ name: 'coffee', reservedUntil: null })
    expect(await release('coffee')).toBeUndefined()
    expect(await directory().find('cake')).toMatchObject({ staticChargeId: other })
    expect(await charge(apiKey, 'coffee')).toMatch(/-/)
  })

  it('frees an identifier immediately if the service keeps no names reserved', async () => {
    await world.restart({ gamertagReservedDays: 0 })
    const { apiKey } = await world.project()
    await charge(apiKey, 'coffee')
    expect(await release('coffee')).toEqual({ name: 'coffee', reservedUntil: null })
    expect(await charge(apiKey, 'coffee')).toMatch(/-/)
  })

  it('is refused for a gamertag in use', async () => {
    const alice = await world.user('alice')
    expect(await release('Alice')).toBe('in use')
    expect(await directory().userId('alice')).toBe(alice)
  })

  it('by a user frees only that user’s own former names', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    await rename(alice, 'alicia')
    await rename(bob, 'bobby')
    const own = (id: string, name: string) => write((tx) => releaseOwnName(tx, id, name))
    expect(await own(bob, 'alice')).toBe(false)
    expect(await own(alice, 'alicia')).toBe(false)
    expect(await own(alice, 'nothing')).toBe(false)
    expect(await own(alice, 'ALICE')).toBe(true)
    expect(await listFormerNames(parts(), alice)).toEqual([])
    expect(await listFormerNames(parts(), bob)).toHaveLength(1)
    expect(await directory().userId('alicia')).toBe(alice)
  })
})

describe('the identifiers of a project', () => {
  const take = async (projectId: string, id: string, identifiersPerProject: number) => {
    const settings = { ...parts().settings, identifiersPerProject }
    await write((tx) => takeIdentifier({ ...parts(), settings }, tx, { id, projectId }, `name-of-${id}`))
  }

  it('are limited in number by the operator, separately for each project', async () => {
    const { apiKey, projectId } = await world.project()
    const first = await charge(apiKey, 'first')
    await expect(take(projectId, 'second', 1)).rejects.toMatchObject({
      code: 'too_many_identifiers',
      message:
        'This project has 1 identifiers, the maximum. Use one that you have, or ask the person who runs the service to release some.',
    })
    await take(projectId, 'second', 2)
    await take(projectId, first, 1)
    await take((await world.project()).projectId, 'third', 1)
  })

  it('are unlimited if the operator sets the limit to 0', async () => {
    const { apiKey, projectId } = await world.project()
    await charge(apiKey, 'first')
    await take(projectId, 'second', 0)
  })
})
