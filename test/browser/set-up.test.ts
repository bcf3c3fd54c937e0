import { afterAll, expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { SIGNED_IN, startAppProxy } from '../support/app-proxy.ts'
import { closeBrowser, phonePage, violations, violationsInBothThemes } from './browser.ts'
import { answer, choose, start, startEmpty } from './set-up-walk.ts'

afterAll(closeBrowser)

test('set-up on a phone leads from an empty folder to the first tip', async () => {
  const { discord, seeded, satchel, link } = await startEmpty()
  const page = await phonePage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await answer(page, 'The token', 'nonsense')
  await page.getByText('Discord does not know this token').waitFor()
  await answer(page, 'The token', discord.token)
  await choose(page, 'May people install the bot', 'No, servers only')
  await page.getByText('Payments use the bundled service').waitFor()
  expect(await violationsInBothThemes(page, 'set-up-node')).toEqual([])
  await choose(page, 'Payments use the bundled service', 'Test sats')
  await answer(page, 'The address, like', '')
  await answer(page, 'The operators', seeded.serverId)
  await answer(page, 'The channel for alerts', '')
  await choose(page, 'How many operators are there?', 'One: me')
  await page.getByText('Invite the bot to your server').waitFor()
  expect(await violationsInBothThemes(page, 'set-up-end')).toEqual([])
  await start(page)
  expect(await page.getByText('/admin page').isVisible()).toBe(true)
  expect(satchel.said).not.toContain(discord.token)

  const alice = discord.as(seeded.people.alice)
  await alice.run(seeded.channels.tips, 'faucet', {}).answered()
  const tip = alice.run(seeded.channels.tips, 'tip', { to: seeded.people.bob, amount: '21' })
  await tip.answered()
  await expect.poll(() => tip.messages().map(textOf).join('\n'), { timeout: 60_000 }).toContain('**21 test sats**')
})

test('set-up works behind a home server’s login and over plain http', async () => {
  const { discord, port } = await startEmpty({ SETUP_CODE: 'c0ffee'.repeat(10), TRUST_PROXY: 'true' })
  const proxy = await startAppProxy(() => `http://127.0.0.1:${port}`, [])
  onTestFinished(() => proxy.close())
  const url = proxy.url.replace('127.0.0.1', 'umbrel.local')
  const page = await phonePage()
  const [name = '', value = ''] = SIGNED_IN.split('=')
  await page.context().addCookies([{ name, value, url }])
  await page.goto(url)
  await page.getByText('The code that was set for Satchel').waitFor()
  await page.locator('#code').fill('c0ffee'.repeat(10))
  await page.getByRole('button', { name: 'Continue' }).click()
  await answer(page, 'The token', discord.token)
  await page.getByText('May people install the bot').last().waitFor()
  expect(await violations(page)).toEqual([])
})
