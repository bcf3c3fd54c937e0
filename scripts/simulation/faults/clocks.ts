import type { Fault } from './fault.ts'

const HOUR_MS = 3_600_000

/**
 * A machine is down, and its clock is wrong by hours or days when it starts again. Later somebody sets it right, or an
 * operator confirms it.
 */
export const wrongClocks: Fault = {
  name: 'wrong clocks at a start',
  async strike({ world, chance, later, happened }) {
    const process = chance.one([world.bot, world.service])
    const ms = chance.one([3, 8, 30, 24 * 9]) * chance.one([-1, 1]) * HOUR_MS
    process.kill()
    const { judge, bot } = world
    const confirmed = process === bot ? judge.unclaimed.startsWrong(ms, judge.now()) : () => {}
    process.jumpClock(ms)
    world.trace.note(`a machine starts with a clock that is wrong by ${ms} ms`)
    await process.start()
    happened()
    const ending = chance.one(['right', 'confirmed'] as const)
    later(chance.between(5, 80), async () => {
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
