import { expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { openFundedStage } from './harness.ts'

it('others can give to a request with its buttons, and its card shows the progress', async () => {
  const stage = await openFundedStage()
  const holds = (who: string) => stage.holds('bot', 'member', who)
  await stage.until('alice is funded', async () => (await holds('alice')) === 10_000)
  const card = must((await stage.command('bob', 'ask', { amount: '2000', reason: 'A new keyboard' }))[0])
  expect(textOf(card)).toMatch(/Bob asks for \*\*2,000 test sats\*\*[\s\S]*A new keyboard[\s\S]*\*\*0%\*\*/)
  stage.mustSay(
    await stage.press('alice', card, '+1,000 test sats'),
    /You gave \*\*1,000 test sats\*\*\. Together: 1,000/,
  )
  stage.mustSay(await stage.press('bob', card, '+100 test sats'), /your own request/)
  const shown = await stage.sees('carol', /Bob asks for[\s\S]*\*\*50%\*\*/)
  expect(shown.id).toBe(card.id)
  expect(await holds('alice')).toBe(9_000)
  stage.mustSay(await stage.press('carol', card, 'Close'), /Only the person who started this can do that/)
  stage.mustSay(await stage.press('bob', card, 'Close'), /Closed/)
  await stage.sees('carol', /Closed[\s\S]*Thank you/)
  // No button gives more than was requested.
  const small = must((await stage.command('bob', 'ask', { amount: '500', reason: 'A cable' }))[0])
  const labels = [...everyComponent(small.components)].flatMap((part) => ('label' in part ? [part.label] : []))
  expect(labels).toEqual(['+100 test sats', '+500 test sats', 'Other amount', 'Close'])
})
