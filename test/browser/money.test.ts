import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

/** Deposits sats for a person, with the phone. */
async function deposit(page: Page, amount: string): Promise<void> {
  await page.locator('#composer').click()
  await page.keyboard.type(`/deposit ${amount}`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByText(/Your deposit of .* has arrived/).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
}

test('three people in their own tabs each take one share of a drop', async () => {
  const { url, world } = await openPlayground()
  const alice = await openTab(url)
  await deposit(alice, '1000')
  await alice.keyboard.type('/voucher drop 900')
  await alice.keyboard.press('Tab')
  await alice.keyboard.type('3')
  await alice.keyboard.press('Enter')
  await alice.getByText('drops 3 shares of 300 test sats').waitFor()
  const takers = await Promise.all(['bob', 'carol', 'newcomer'].map((as) => openTab(url, { as })))
  await Promise.all(takers.map((tab) => tab.getByRole('button', { name: 'Take a share' }).click()))
  await Promise.all(takers.map((tab) => tab.getByText('300 test sats for you').waitFor()))
  await alice.getByText('3 of 3 taken').waitFor()
  await picture(alice, 'drop-taken')
  for (const tab of takers) expect(await tab.getByText('300 test sats for you').count()).toBe(1)
  expect(await alice.getByText('300 test sats for you').count()).toBe(0)
  await world.settled()
  expect((await world.books()).map(({ faults }) => faults)).toEqual([[], []])
})

test.each([
  ['Let it pay', 'The payment that hung is paid now.'],
  ['Let it fail', 'The payment that hung has failed now.'],
])('a withdrawal that hangs is listed as waiting until this button is pressed: %s', async (press, said) => {
  const { url, world } = await openPlayground()
  const page = await openTab(url)
  await deposit(page, '5000')
  await page.getByRole('button', { name: 'Misbehave' }).click()
  await page.getByRole('button', { name: 'Next payment hangs' }).click()
  await page.getByRole('button', { name: 'Receive' }).click()
  await page.getByLabel(/Amount in sats/).fill('2000')
  await page.getByRole('button', { name: 'Make an invoice' }).click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the invoice' }).click()
  await page.locator('#composer').click()
  await page.keyboard.type('/withdraw 2000')
  await page.getByRole('button', { name: /Add the option to/ }).click()
  await page.keyboard.press('Control+V')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send it' }).click()
  await page.getByRole('tab', { name: /Waiting/ }).click()
  await page.locator('.waiting-list li').first().waitFor()
  await picture(page, 'withdrawal-hangs')
  await page.getByRole('button', { name: 'Misbehave' }).click()
  await page.getByRole('button', { name: press }).click()
  await page.getByText(said).waitFor()
  await page.getByText('The bot waits for nothing').waitFor()
  await picture(page, `withdrawal-${press.toLowerCase().replaceAll(' ', '-')}`)
  const arrived = page.locator('.history-line.in', { hasText: '+2,000' })
  if (press === 'Let it pay') await arrived.waitFor()
  else expect(await arrived.count()).toBe(0)
  await page.getByRole('button', { name: press }).click()
  await page.getByText('Nothing hangs.').waitFor()
  await world.settled()
  expect((await world.books()).map(({ faults }) => faults)).toEqual([[], []])
})
