import pg from 'pg'
import { expect, it } from 'vitest'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { TippingWorld } from '../tipping/world.ts'

it.each(['German', 'SQL, DMY'])('a database with the date style %s counts gifts on the correct days', async (style) => {
  const world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  await world.tip('alice', 'bob', '100')
  const { url } = world.database
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET datestyle = '${style}'`)
  await admin.end()
  const later = await openTippingDatabase(url)
  const tip = await later.read.tip.findFirstOrThrow()
  const share = await later.read.tipShare.findFirstOrThrow()
  await later.write.tip.create({ data: { ...tip, id: 'another', card: 'another' } })
  await later.write.tipShare.create({ data: { ...share, id: 'another', tipId: 'another' } })
  const day = tip.createdAt.toISOString().slice(0, 10)
  const sums = await later.read.giftDay.findMany({ select: { day: true, amount: true } })
  expect(sums).toEqual(Array(2).fill({ day, amount: 200_000n }))
  // The second gift was a row alone: nothing is booked for it.
  await later.write.tipShare.update({ where: { id: 'another' }, data: { state: 'returned' } })
  await later.close()
  await world.close()
})
