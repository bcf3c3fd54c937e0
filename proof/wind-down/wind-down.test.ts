import { describe, expect, it } from 'vitest'
import { community } from '../../test/tipping/wind-down/community.ts'
import { killedAllTheWay } from '../../test/tipping/wind-down/killed-all-the-way.ts'

/** The number of members who are paid out, and how often the process is killed meanwhile. */
const MEMBERS = Number(process.env.WIND_DOWN_MEMBERS ?? 60)
const KILLS = Number(process.env.WIND_DOWN_KILLS ?? 20)

describe('a wind-down of a bot with many members', () => {
  it('pays or lists every msat even if its process is killed repeatedly', { timeout: 14_400_000 }, async () => {
    const here = await community(MEMBERS)
    try {
      const begun = performance.now()
      const ended = await killedAllTheWay(here, KILLS)
      const seconds = Math.round((performance.now() - begun) / 1_000)
      console.log({ members: MEMBERS, failing: here.failing.length, seconds, ...ended })
      expect(ended.deaths).toBeGreaterThan(KILLS / 2)
    } finally {
      await here.close()
    }
  })
})
