import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from './harness.ts'

it('a member can get their data in a file and, after a warning, delete the data', async () => {
  const stage = await openStage()
  await stage.command('alice', 'faucet')
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '40', note: 'for the ride' })
  const [shown] = await stage.command('alice', 'privacy')
  if (shown === undefined) throw new Error('nothing was shown')
  expect(shown.ephemeral).toBe(true)
  // Data that another part of the product stores under their id is named, too.
  expect(textOf(shown)).toMatch(
    /wallet[\s\S]* opens a wallet at the Lightning service behind me, under your Discord id/,
  )
  const [exported] = await stage.press('alice', shown, 'My data as a file')
  expect(exported?.ephemeral).toBe(true)
  const data = (await (await fetch(exported?.attachments[0]?.url ?? '')).json()) as { readonly notHere: string }
  expect(data).toMatchObject({ discordId: stage.id('alice'), tipsGiven: [{ note: 'for the ride', total: '40000' }] })
  expect(data.notHere).toMatch(/\/wallet, the Lightning service has an account under your Discord id/)

  await stage.press('alice', shown, 'Delete my data …')
  const asked = await stage.sees('alice', /Delete your data\?/)
  expect(textOf(asked)).toMatch(
    /still have sats here[\s\S]*960 test sats\*\* in your balance[\s\S]*40 test sats\*\* on the way/,
  )
  expect(textOf(asked)).toMatch(/stays if you delete yours here/)
  await stage.press('alice', asked, 'Delete for good')
  await stage.sees('alice', /Deleted\. The next command/)
  expect((await stage.world.bot.tipping.privacy.export(stage.id('alice'))).tipsGiven).toMatchObject([{ note: '' }])
  expect(await stage.holds('bot', 'member', 'alice')).toBe(960)
})
