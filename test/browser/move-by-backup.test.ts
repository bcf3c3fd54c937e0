import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { closeBrowser, phonePage, picture, violations } from './browser.ts'
import { answer, choose, start, startEmpty } from './set-up-walk.ts'

afterAll(closeBrowser)

const CONSOLE_PASSWORD = 'correct horse battery'

/** Opens the console, and signs in. */
async function openConsole(page: Page, port: number): Promise<void> {
  await page.goto(`http://127.0.0.1:${port}/console`)
  await page.getByLabel("The operators' password").fill(CONSOLE_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Outgoing payments').first().waitFor()
}

/** Answers all questions of the setup: test sats, one operator. */
async function settle(
  page: Page,
  link: string,
  { token, serverId }: { token: string; serverId: string },
): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await answer(page, 'The token', token)
  await choose(page, 'May people install the bot', 'No, servers only')
  await choose(page, 'Payments use the bundled service', 'Test sats')
  await answer(page, 'The address, like', '')
  await answer(page, 'The operators', serverId)
  await answer(page, 'The channel for alerts', '')
  await choose(page, 'How many operators are there?', 'One: me')
  await page.getByText('Invite the bot to your server').waitFor()
}

test('an operator can use a backup to move the bot to another machine without a shell', async () => {
  const first = await startEmpty({ CONSOLE_PASSWORD })
  const { discord, seeded } = first
  const bot = { token: discord.token, serverId: seeded.serverId }
  const page = await phonePage()
  await settle(page, first.link, bot)
  await start(page)
  expect(await page.getByText('If nothing happens').isVisible()).toBe(false)
  await page.getByText('Invite the bot to your server').waitFor()
  const alice = discord.as(seeded.people.alice)
  await alice.run(seeded.channels.tips, 'faucet', {}).answered()
  await openConsole(page, first.port)
  await page.getByRole('link', { name: 'Backup' }).click()
  await picture(page, 'console-backup')
  expect(await violations(page)).toEqual([])
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download a backup' }).click()
  const archive = await (await coming).path()
  await first.satchel.discard()

  const second = await startEmpty({ CONSOLE_PASSWORD, DISCORD_API_URL: discord.restUrl })
  await settle(page, second.link, bot)
  await page.getByText('Do you come from another machine?').click()
  await page.locator('#backup').setInputFiles(archive)
  await page.getByRole('button', { name: 'Restore it' }).click()
  await page.getByText('✓ Restored').waitFor()
  await picture(page, 'set-up-restored')
  expect(await violations(page)).toEqual([])
  await start(page)
  await openConsole(page, second.port)
  await picture(page, 'console-restored')
  const resume = page.getByRole('button', { name: 'Resume outgoing payments' }).first()
  // The other pause ends with the first audit without a fault.
  if (!(await resume.isVisible())) await page.getByRole('button', { name: 'Audit now' }).first().click()
  await resume.click()
  await page.getByText('✓ Outgoing payments are allowed again.').waitFor()
  const balance = alice.run(seeded.channels.tips, 'balance', {})
  await balance.answered()
  await expect.poll(() => balance.messages().map(textOf).join('\n'), { timeout: 60_000 }).toContain('1,000 test sats')
}, 300_000)
