import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { fund, openStage } from './harness.ts'

/**
 * Plays commands, buttons, forms and suggestions through Discord's "Interactions Endpoint URL", with a bot that has no
 * gateway connection.
 */

it('interactions over HTTP are acknowledged in the response, without calling Discord', async () => {
  const stage = await openStage({ interactionsByHttp: true })
  const { emulator } = stage.world
  expect(emulator.botOnline).toBe(false)

  await fund(stage, 'alice', 10_000)

  const [tip] = await stage.command('alice', 'tip', { to: stage.id('carol'), amount: '500' })
  expect(tip && textOf(tip)).toContain('500')
  expect(await stage.holds('bot', 'member', 'alice')).toBe(9_500)

  const [refused] = await stage.command('alice', 'tip', { to: stage.id('carol'), amount: '900000' })
  expect(refused?.ephemeral).toBe(true)

  const choices = await stage.person('alice').autocomplete(stage.channel(), 'tip', { amount: 'al' }, 'amount')
  expect(choices.length).toBeGreaterThan(0)

  const opened = await stage.person('alice').run(stage.channel(), 'withdraw', {}).answered()
  expect(opened.modal).not.toBeNull()
  const { invoice } = await stage.world.phone.invoice(900_000n)
  await stage.person('alice').submit(opened.id, { to: invoice }).answered()
  await stage.world.settled()
  await stage.press('alice', await stage.sees('alice', /Withdrawal of 900/), 'Send it')
  await stage.sees('alice', /Withdrawal of 900[\s\S]*Paid/)

  const calls = emulator.requests().filter(({ path }) => path.endsWith('/callback'))
  expect(calls).toEqual([])
}, 120_000)
