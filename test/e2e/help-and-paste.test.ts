import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/tour/text-of.ts'
import { openStage } from './harness.ts'

it('help has a menu of its topics, which changes the same message, and a way to the status page', async () => {
  const stage = await openStage()
  const [help] = await stage.command('newcomer', 'help')
  if (help === undefined) throw new Error('no help')
  const components = help.components.flatMap((row) => row.components as { url?: string; custom_id?: string }[])
  const status = components.find(({ url }) => url !== undefined)?.url ?? ''
  expect((await fetch(status)).status).toBe(200)
  const menu = components.find(({ custom_id }) => custom_id?.startsWith('help-topic'))?.custom_id ?? ''
  await stage.person('newcomer').choose(help.channelId, help.id, menu, ['giveaways']).answered()
  await stage.world.settled()
  const now = await stage.sees('newcomer', /Nobody can cheat, not even me/)
  expect(now.id).toBe(help.id)
})

it('an invoice is pasted into the form of /withdraw, and paid without typing what it says', async () => {
  const stage = await openStage()
  const [deposit] = await stage.command('alice', 'deposit', { amount: '5000' })
  if (deposit === undefined) throw new Error('no deposit')
  await stage.pay(await stage.scan(deposit, 'deposit'))
  const opened = await stage.person('alice').run(stage.channel(), 'withdraw', {}).answered()
  expect(opened.modal).not.toBeNull()
  const { invoice } = await stage.world.phone.invoice(900_000n)
  const sent = stage.person('alice').submit(opened.id, { to: invoice })
  await sent.answered()
  await stage.world.settled()
  const asked = await stage.sees('alice', /Withdrawal of 900/)
  await stage.press('alice', asked, 'Send it')
  await stage.sees('alice', /Withdrawal of 900[\s\S]*Paid/)
  expect(textOf(asked)).toMatch(/It pays the invoice/)
})
