import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/**
 * Types a command in one go, as somebody who knows it does. A command without options is first chosen and then sent.
 */
async function use(page: Page, command: string, press: (target: Locator) => Promise<void>): Promise<void> {
  await press(page.locator('#composer'))
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
  if (!/\d/.test(command)) await page.keyboard.press('Enter')
}

/** Switches the page to another person. */
async function become(page: Page, who: RegExp): Promise<void> {
  await page.getByRole('button', { name: /You are/ }).click()
  await page.getByRole('option', { name: who }).click()
}

test('a new member can claim a tip, and deposit, give and withdraw sats, on a phone', async () => {
  const { url, world } = await openPlayground()
  const giver = await openTab(url)
  const click = (target: Locator) => target.click()
  await giver.locator('[data-channel=tips]').click()
  await use(giver, '/deposit 2000', click)
  await giver.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await giver.getByRole('button', { name: /^Pay / }).click()
  await giver.getByText(/Your deposit of .* has arrived/).waitFor()
  await use(giver, '/tip newcomer 700', click)
  await giver.getByText('700 test sats').first().waitFor()

  const page = await openTab(url, { as: 'newcomer', ...PHONE })
  const tap = (target: Locator) => target.tap()
  const fits = async (name: string) => {
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await picture(page, `member-${name}`)
  }
  await page.getByRole('button', { name: 'Channels', exact: true }).tap()
  await page.locator('[data-channel=tips]').tap()
  await page.getByRole('heading', { name: 'Welcome to #tips' }).waitFor()

  // The first command, whichever it is, claims the waiting sats.
  await use(page, '/balance', tap)
  await page.locator('li.message', { hasText: 'Your balance' }).getByText('700 test sats').first().waitFor()
  await fits('balance')

  await use(page, '/help', tap)
  await page.locator('li.message', { hasText: '/deposit' }).last().waitFor()
  await fits('help')

  await use(page, '/deposit 1000', tap)
  await page.getByRole('button', { name: 'Scan with the phone' }).first().tap()
  await page.getByRole('button', { name: 'Pay 1,000 sats' }).tap()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).tap()
  await page.getByText('Your deposit of 1,000 test sats has arrived').waitFor()
  await fits('deposit')

  await use(page, '/tip bob 200', tap)
  await page.locator('li.message', { hasText: '200 test sats' }).last().waitFor()

  await page.getByRole('button', { name: 'Wallet', exact: true }).tap()
  await page.getByRole('button', { name: 'Receive' }).tap()
  await page.getByLabel(/Amount in sats/).fill('400')
  await page.getByRole('button', { name: 'Make an invoice' }).tap()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the invoice' }).tap()
  await fits('invoice')
  await page.getByRole('button', { name: 'Chat' }).tap()
  await use(page, '/withdraw', tap)
  await page.getByRole('dialog').waitFor()
  await page.getByRole('dialog').getByRole('textbox').first().tap()
  await page.keyboard.press('Control+V')
  await fits('withdraw')
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).tap()
  await page.getByRole('button', { name: 'Send it' }).tap()
  await page
    .locator('li.message', { hasText: /400 test sats/ })
    .filter({ hasText: '✅' })
    .first()
    .waitFor()

  await use(page, '/history', tap)
  await page.locator('li.message', { hasText: '/history' }).last().waitFor()
  await fits('history')
  await world.settled()
  expect((await world.books()).map(({ faults }) => faults)).toEqual([[], []])
})

test('a server’s owner can tip, fill the pool and sign in to the operators’ page', async () => {
  const { url, world } = await openPlayground()
  const page = await openTab(url, { as: 'lounge-owner' })
  const click = (target: Locator) => target.click()
  await page.locator('[data-channel=tips]').click()
  await use(page, '/settings', click)
  await page.getByRole('button', { name: 'Server settings' }).click()
  await page.getByText('10,000 test sats').filter({ visible: true }).first().waitFor()
  await picture(page, 'owner-settings')

  await use(page, '/deposit 3000', click)
  await page.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByText(/Your deposit of .* has arrived/).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await use(page, '/tip bob 500', click)
  await page.locator('li.message', { hasText: '500 test sats' }).last().waitFor()

  await use(page, '/pool balance', click)
  const pool = page.locator('li.message', { hasText: 'It is empty' })
  await pool.getByRole('button', { name: 'Fill' }).click()
  await page.getByRole('dialog').getByRole('textbox').first().fill('900')
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Scan with the phone' }).last().click()
  await page.getByRole('button', { name: 'Pay 900 sats' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await pool.getByRole('combobox').click()
  await page.getByRole('option', { name: /Moderators/ }).click()
  await use(page, '/pool balance', click)
  await page.getByText('give one of your roles a budget').last().waitFor()
  await picture(page, 'owner-pool')

  // The owner does not have the role that may give.
  await become(page, /^Mod/)
  await use(page, '/reward bob 300', click)
  await page.keyboard.type('Soup')
  await page.keyboard.press('Enter')
  await page.locator('li.message', { hasText: 'Soup' }).last().waitFor()

  await become(page, /^Lounge-owner/)
  const below = () =>
    page.locator('.conversation').evaluate((box) => -(box as unknown as { scrollTop: number }).scrollTop)
  await page.locator('.conversation').hover()
  await page.mouse.wheel(0, -400)
  await expect.poll(below).toBeGreaterThan(100)
  await use(page, '/admin audit', click)
  await page.locator('li.message', { hasText: 'The books are right' }).last().waitFor()
  expect(await below()).toBeLessThan(1)
  await use(page, '/admin page', click)
  const [operators] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open' }).last().click(),
  ])
  await operators.getByRole('button', { name: 'Sign in' }).click()
  await operators.waitForURL(/\/console$/)
  await operators.getByText('Everything works. Nothing waits for you.').waitFor()
  await picture(operators, 'owner-operators-page')
  await operators.goBack()
  await operators.getByRole('button', { name: 'Sign in' }).click()
  await operators.getByText('This link was used already').waitFor()
  await operators.close()
  await world.settled()
  expect((await world.books()).map(({ faults }) => faults)).toEqual([[], []])
})
