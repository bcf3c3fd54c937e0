import { afterEach, describe, expect, it } from 'vitest'
import { type Community, community } from './community.ts'
import { killedAllTheWay } from './killed-all-the-way.ts'

let here: Community

afterEach(() => here.close())

describe('a wind-down whose process is killed at every step', () => {
  it('pays or lists each of 15 balances once, to the msat', { timeout: 600_000 }, async () => {
    here = await community(15)
    expect((await killedAllTheWay(here, 8)).deaths).toBeGreaterThan(5)
    const notices = await here.world.database.read.windDownNotice.groupBy({ by: ['kind'], _count: true })
    expect(notices.map(({ kind, _count }) => [kind, _count]).sort()).toEqual([
      ['reminded', 16],
      ['told', 16],
    ])
  })
})
