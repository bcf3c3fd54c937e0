import { Sql } from '@prisma/client/runtime/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOf, storable } from '../../../src/lib/database/engine/row-words.ts'
import { TippingWorld } from '../../tipping/world.ts'

let world: TippingWorld

beforeAll(async () => {
  world = await TippingWorld.open()
})

afterAll(() => world.close())

const ODD = ['\0', 'a\0b', '\ud800', 'x\udc00y', '\udfff\ud800', '\0\0\ud800']

describe('texts that databases refuse', () => {
  it('have only the refused characters replaced by U+FFFD', () => {
    expect(ODD.map(storable)).toEqual([
      '\ufffd',
      'a\ufffdb',
      '\ufffd',
      'x\ufffdy',
      '\ufffd\ufffd',
      '\ufffd\ufffd\ufffd',
    ])
    for (const text of ['', 'alice', '👩‍👩‍👧', '\u0007', '\uffff', '\\u0000', 'é']) expect(storable(text)).toBe(text)
    expect(jsonOf('a\0b')).toBe('"a\ufffdb"')
  })

  it.each(ODD)('can be stored, found again and used in queries: %j', async (odd) => {
    const { read, write, readRaw, rows } = world.database
    const id = `odd ${JSON.stringify(odd)} ${odd}`
    const data = { member: odd, command: odd, createdAt: new Date(0) }
    await write.$transaction((tx) => tx.pendingTip.create({ data: { id, ...data } }))
    expect((await read.pendingTip.findMany({ where: { id } })).length).toBe(1)
    expect(await read.pendingTip.findMany({ where: { member: 'nobody' } })).toEqual([])
    const wanted = rows.as('wanted', ['id'], [[odd]])
    const sql = new Sql(['SELECT p."id" FROM ', ' JOIN "AskedTip" AS p ON p."id" = wanted."id"'], [wanted])
    expect(await readRaw.$queryRaw(sql)).toEqual([])
  })

  it('in the notes of some tips do not make other tips in the same transaction fail', async () => {
    await world.fund('alice', 1_000)
    const notes = ['thanks', ...ODD, 'well done']
    const to = [{ id: 'bob', bot: false }]
    const give = (note: string) =>
      world.tipping.tips.send({ from: 'alice', to, amount: '10', note, origin: world.origin() })
    await world.run(Promise.all(notes.map(give)))
    expect(await world.available('alice')).toBe(1_000_000n - BigInt(notes.length) * 10_000n)
  })
})
