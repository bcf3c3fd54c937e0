import { expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from './harness.ts'

it('a giver without a balance gets a private invoice, and its payment sends the tip', async () => {
  const stage = await openStage()
  await stage.command('bob', 'balance')
  const [asked, ...more] = await stage.command('alice', 'tip', {
    to: stage.id('bob'),
    amount: '500',
    note: 'for the map',
  })
  expect(more).toEqual([])
  if (asked === undefined) throw new Error('nothing was answered')
  expect(asked.ephemeral).toBe(true)
  expect(textOf(asked)).toMatch(/Pay 500 test sats[\s\S]*too small to tip Bob \*\*500 test sats\*\*[\s\S]*Expires/)
  expect(await stage.holds('bot', 'member', 'bob')).toBe(0)
  await stage.pay(await stage.scan(asked, 'deposit'))
  const told = textOf(await stage.sees('carol', /tipped[\s\S]*500 test sats/))
  expect(told).toContain('for the map')
  expect(textOf(await stage.sees('alice', /Your tip is sent/))).toMatch(/Paid: \*\*500 test sats\*\* to Bob/)
  expect(await stage.holds('bot', 'member', 'bob')).toBe(500)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(0)
})

it('a giver without sats who reacts gets an invoice, and paying it sends the tip', async () => {
  const stage = await openStage()
  const [panel] = await stage.command('alice', 'settings')
  const said = stage.person('bob').say(stage.channel(), 'a good map')
  await stage
    .person('alice')
    .choose(said.channelId, panel?.id ?? '', 'settings-mine:reactionTip', ['50'])
    .acknowledged()
  await stage.world.settled()
  stage.person('alice').react(said.channelId, said.id, '⚡')
  const asked = await stage.sees('alice', /Pay 50 test sats/)
  await stage.pay(await stage.scan(asked, 'deposit'))
  await stage.sees('carol', /50 test sats\*\* for .* from 1 tip/)
})

it('`/balance` lists an unpaid tip separately from deposits until the tip is sent', async () => {
  const stage = await openStage()
  const balance = async () => textOf((await stage.command('alice', 'balance'))[0] as MessageView)
  await stage.command('alice', 'deposit', { amount: '600' })
  const [asked] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  expect(await balance()).toMatch(
    /1 deposit is waiting to be paid\.\n- .*600 test sats.*\n1 tip is waiting for you to pay it\.\n- .*500 test sats/,
  )
  await stage.pay(await stage.scan(asked as MessageView, 'deposit'))
  await stage.sees('carol', /tipped[\s\S]*500 test sats/)
  const after = await balance()
  expect(after).toContain('1 deposit is waiting to be paid.')
  expect(after).not.toContain('waiting for you to pay')
})
