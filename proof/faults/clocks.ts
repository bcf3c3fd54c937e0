import { members, newcomer } from '../people/chapters/chapter.ts'
import { tip } from '../people/tips.ts'
import type { Fault } from './fault.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * A machine is down, and its clock is wrong by hours or days when it restarts. Later somebody corrects it, or an
 * operator confirms it.
 */
export const wrongClocks: Fault = {
  name: 'wrong clocks at a start',
  async strike({ world, stage, chance, later, happened }) {
    const process = chance.one([world.bot, world.service])
    const ms = chance.one([3, 8, 30, 24 * 9]) * chance.one([-1, 1, 1]) * HOUR_MS
    const { judge, bot } = world
    if (process === bot) {
      // The pending records that a fast clock would end.
      const rich = world.botBook.rows<{ owner: string }>(
        `SELECT "owner" FROM "Account" WHERE "kind" = 'member' AND "balance" > 20000 ORDER BY "id"`,
      )
      const from = rich.length > 0 ? chance.one(rich).owner : members(stage, 1)[0]
      if (from !== undefined) await tip(stage, from, { typed: '20', split: false, to: [newcomer(stage)] })
    }
    process.kill()
    const confirmed = process === bot ? judge.unclaimed.startsWrong(ms, judge.now()) : () => {}
    process.jumpClock(ms)
    world.trace.note(`a machine starts with a clock that is wrong by ${ms} ms`)
    await process.start()
    happened()
    // A fast clock ends such records within a minute or two, if the process trusts it.
    await world.passing(chance.between(0, 3) * MINUTE_MS)
    const ending = chance.one(['right', 'confirmed'] as const)
    later(chance.between(1, 40), async () => {
      world.trace.note(`the clock is ${ending}`)
      confirmed()
      if (ending === 'right') {
        process.kill()
        process.jumpClock(-ms)
      }
      await process.confirmClock()
    })
  },
}
