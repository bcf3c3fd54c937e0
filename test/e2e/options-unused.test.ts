import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { openPooledStage } from './pooled-stage.ts'

it('an option without an effect is refused by name, and the command creates nothing', async () => {
  const stage = await openPooledStage()
  const rule = { amount: '100', budget: '1000' }
  const schedule = { weekday: 'friday', time: '18:00', times: 2, amount: '100', people: 2, reason: 'fun' }
  const giveaway = { prize: '20', winners: 1, duration: '2h' }
  const combinations = [
    ['rule create', { ...rule, recipe: 'good-post', role: '@Regulars' }, 'role'],
    ['rule create', { ...rule, recipe: 'solved', days: 3 }, 'days'],
    ['rule create', { ...rule, recipe: 'role-welcome', role: '@Regulars', emoji: '🍕' }, 'emoji'],
    ['schedule create', { ...schedule, kind: 'rain', minutes: 30 }, 'minutes'],
    ['api-key create', { name: 'game', use: 'events', budget: '500' }, 'budget'],
    ['giveaway start', { ...giveaway, 'bonus-chances': 3 }, 'bonus-chances'],
    ['giveaway start', { ...giveaway, roles: 'all' }, 'roles'],
    ['giveaway start', { ...giveaway, roles: 'all', role: '@Regulars' }, 'roles'],
  ] as const
  for (const [command, options, unused] of combinations) {
    const [refused] = await stage.command('mod', command, options)
    expect(textOf(must(refused))).toContain(`The option \`${unused}\` has no effect`)
    expect(must(refused).ephemeral).toBe(true)
  }
  for (const list of ['rule list', 'schedule list', 'api-key list']) {
    expect(textOf(must((await stage.command('mod', list))[0]))).toMatch(/There is no (rule|schedule|API key) yet/)
  }
})

it('the refusal of an option names it in the reader’s language', async () => {
  const stage = await openPooledStage()
  const [mine] = await stage.command('mod', 'settings')
  await stage.person('mod').choose(stage.channel(), must(mine).id, 'settings-mine:language', ['es']).answered()
  const options = { name: 'game', use: 'events', budget: '500' }
  const [refused] = await stage.command('mod', 'api-key create', options)
  expect(textOf(must(refused))).toContain('La opción `presupuesto` no cambia nada')
})
