import { expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { decide, openPooledStage, poolHolds } from './pooled-stage.ts'

it('a moderator corrects and saves a split, then uses it for two payments', async () => {
  const stage = await openPooledStage()
  const [bob, carol, bot] = [stage.id('bob'), stage.id('carol'), stage.world.emulator.applicationId]
  const save = async (parts: string) => await stage.command('mod', 'split create', { name: 'podcast', parts })
  stage.mustSay(await save(`<@${bob}> 60 <@${carol}> 39`), /add up to 99%/)
  stage.mustSay(await save(`<@${bob}> 60 <@${bot}> 40`), /Bots cannot be paid: Satchel/)
  const [saved] = await save(`<@${bob}> 66.67 <@${carol}> 33.33`)
  expect(textOf(must(saved))).toMatch(/podcast\*\*\n• .*66\.67%\n• .*33\.33%/)
  stage.mustSay(await save(`<@${bob}> 100`), /already has a split “podcast”/)
  const [choice] = await stage.person('mod').autocomplete(stage.channel(), 'split pay', { name: 'pod' }, 'name')
  const terms = { name: String(choice?.value), amount: '100', reason: 'episode 7' }
  const [asked] = await stage.command('mod', 'split pay', terms)
  expect(textOf(must(asked))).toMatch(/67 test sats[\s\S]*33 test sats[\s\S]*The remainder \(1 test sat\)/)
  await stage.press('mod', must(asked), 'Pay')
  await stage.sees('bob', /100 test sats/)
  expect(await poolHolds(stage)).toBe(4_900)
  const change = { approvalAbove: sats(10) }
  await stage.world.bot.tipping.preferences.changeServer({
    guild: stage.world.cast.server,
    member: stage.id('mod'),
    change,
  })
  const [again] = await stage.command('mod', 'split pay', terms)
  await stage.press('mod', must(again), 'Pay')
  await decide(stage, 'lounge-owner', await stage.sees('lounge-owner', /would like to pay/), 'Approve')
  await stage.sees('carol', /Approved by/)
  expect(await poolHolds(stage)).toBe(4_800)
  stage.mustSay(await stage.command('mod', 'split edit', { name: 'podcast', parts: `<@${bob}> 100` }), /Saved/)
  stage.mustSay(await stage.command('mod', 'split list'), /podcast[\s\S]*100%/)
  stage.mustSay(await stage.command('mod', 'split delete', { name: 'podcast' }), /is deleted/)
  stage.mustSay(await stage.command('mod', 'split list'), /no split yet/)
  await expect(stage.command('bob', 'split list')).rejects.toThrow(/no command/)
})
