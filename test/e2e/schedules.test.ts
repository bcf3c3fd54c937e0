import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { ShiftedClock } from '../support/shifted-clock.ts'
import { openStage } from './harness.ts'

it('a schedule posts a drop from the pool on time, and is listed', async () => {
  const clock = new ShiftedClock()
  const stage = await openStage({ clock })
  const [charge] = await stage.command('mod', 'pool fund', { amount: '5000' })
  await stage.pay(await stage.scan(must(charge), 'pool'))
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '1000', period: 'day' })
  const inTwoHours = new Date(clock.now() + 2 * 3_600_000).toISOString().slice(11, 16)
  const terms = {
    kind: 'drop',
    weekday: 'daily',
    time: inTwoHours,
    times: 3,
    amount: '300',
    people: 3,
    reason: 'friday',
  }
  const [made] = await stage.command('mod', 'schedule create', terms)
  expect(must(made).ephemeral).toBe(true)
  expect(textOf(must(made))).toMatch(
    /A drop\** · 300 test sats · 3 people\n> friday\nEvery day, \d\d:\d\d \(UTC\)[\s\S]*0 of 3/,
  )
  stage.mustSay(await stage.command('mod', 'schedule create', { ...terms, time: 'noon' }), /Write it like 18:00/)

  await stage.world.bot.kill()
  clock.shiftMs += 2 * 3_600_000
  await stage.world.bot.start()
  const drop = await stage.sees('carol', /100 test sats/)
  const taken = await stage.press('carol', drop, 'Take a share')
  expect(taken.map(textOf).join()).toMatch(/100 test sats/)
  stage.mustSay(await stage.command('mod', 'schedule list'), /1 of 3/)
  const [choice] = await stage
    .person('mod')
    .autocomplete(stage.channel(), 'schedule stop', { schedule: '' }, 'schedule')
  stage.mustSay(
    await stage.command('mod', 'schedule stop', { schedule: String(choice?.value) }),
    /Ended by Mod .*after 1 of 3/,
  )
})
