import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

test('the tour leads from an empty balance to Bob’s share of a drop in his wallet', async () => {
  const { url, world } = await openPlayground()
  const page = await openTab(url, { tour: true })
  const step = (title: string) => page.locator('.tour h2', { hasText: title }).waitFor()
  await step('You are Alice')
  await page.getByRole('button', { name: 'tips', exact: true }).click()
  await step('Add funds')
  await page.keyboard.type('/deposit 10000')
  await page.keyboard.press('Enter')
  await step('Scan and pay')
  await page.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await page.getByRole('button', { name: 'Pay 10,000 sats' }).waitFor()
  await picture(page, 'tour-pay')
  await page.getByRole('button', { name: 'Pay 10,000 sats' }).click()
  await step('Tip somebody')
  expect(await page.locator('.tour p').textContent()).toContain('/tip bob 500, and press Enter. Everybody sees a tip.')
  await page.getByText('Your deposit of 10,000 test sats has arrived').waitFor()
  await page.locator('#composer').click()
  await page.keyboard.type('/tip bob 500')
  await page.keyboard.press('Enter')
  await step('Drop some for everybody')
  // Without options, the command asks for them in a form.
  await page.keyboard.type('/drop')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Drop' })
  await form.getByRole('textbox').fill('300')
  await form.getByRole('radiogroup', { name: 'shares' }).getByText('3', { exact: true }).click()
  await form.getByRole('button', { name: 'Submit' }).click()
  await step('Be somebody else')
  await page.getByRole('button', { name: /You are Alice/ }).click()
  await page.getByRole('option', { name: /^Bob/ }).click()
  await step('Send it to your own wallet')
  expect(await page.getByText('Deposit 10,000').count()).toBe(0)
  await page.keyboard.type('/link bob')
  await page.keyboard.press('Enter')
  await page.getByText('From now on your tips go to bob').waitFor()
  await page.getByRole('button', { name: 'Take a share' }).click()
  await step('See that it adds up')
  await page.getByRole('tab', { name: 'Books' }).click()
  await page.getByText('That was Lightning').waitFor()
  const [wallet] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Open Bob’s wallet' }).click(),
  ])
  await wallet.waitForURL(/\/wallet\/sign-in/)
  await wallet.getByRole('button').first().click()
  await wallet.getByText('100', { exact: false }).first().waitFor()
  await picture(wallet, 'tour-wallet-of-bob')
  await wallet.close()
  await picture(page, 'tour-is-over')
  await page.getByRole('button', { name: 'Look around' }).click()
  await picture(page, 'tour-books')
  await world.settled()
  const [bot, service] = await world.books()
  expect(bot?.holds && service?.holds).toBe(true)
  expect(service?.accounts.find(({ name }) => name === 'bob')?.balance).toBe(600_000n)
  await page.reload()
  await page.locator('.message-list').waitFor()
  expect(await page.locator('.tour').count()).toBe(0)
})

test('the tour can be skipped and started again later', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url, { tour: true })
  await page.getByRole('button', { name: 'Skip the tour' }).click()
  expect(await page.locator('.tour').count()).toBe(0)
  await page.reload()
  await page.locator('.message-list').waitFor({ state: 'attached' })
  expect(await page.locator('.tour').count()).toBe(0)
  await page.getByRole('button', { name: 'Guided tours' }).click()
  await page.getByRole('button', { name: 'First sats' }).click()
  await page.getByText('Step 1 of 8').waitFor()
})

test('actions taken before the tour starts or before Back is pressed complete no step', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url)
  await page.locator('[data-channel=tips]').click()
  const askForDeposit = async () => {
    await page.locator('#composer').click()
    await page.keyboard.type('/deposit 1000')
    await page.keyboard.press('Enter')
  }
  await askForDeposit()
  await page.getByRole('button', { name: 'Scan with the phone' }).waitFor()
  await page.getByRole('button', { name: 'Guided tours' }).click()
  await page.getByRole('button', { name: 'First sats' }).click()
  for (const again of [false, true]) {
    await page.getByText('Step 2 of 8').waitFor()
    await page.waitForTimeout(1_000) // A completed step is left sooner.
    expect(await page.locator('.tour h2').textContent()).toContain('Step 2')
    await askForDeposit()
    await page.getByText('Step 3 of 8').waitFor()
    if (!again) await page.getByRole('button', { name: 'Back' }).click()
  }
})

test('actions in one browser complete no step of the tour in another browser', async () => {
  const { url } = await openPlayground()
  const first = await openTab(url)
  await first.locator('[data-channel=tips]').click()
  await first.locator('#composer').click()
  await first.keyboard.type('/deposit 1000')
  await first.keyboard.press('Enter')
  await first.getByRole('button', { name: 'Scan with the phone' }).waitFor()
  const second = await openTab(url, { tour: true })
  await second.getByText('Step 1 of 8').waitFor()
  await second.locator('[data-channel=tips]').click()
  await second.getByText('Step 2 of 8').waitFor()
  await second.waitForTimeout(1_000) // A completed step is left sooner.
  expect(await second.locator('.tour h2').textContent()).toContain('Step 2')
})

test('the tour on a phone points to its targets, names no keys, and keeps its height', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url, { tour: true, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const height = async () => (await page.locator('.tour').boundingBox())?.height
  const before = await height()
  /** Resolves when the tour's ring surrounds the middle of the target. */
  async function pointsAt(target: Locator): Promise<void> {
    await expect
      .poll(async () => {
        const [ring, box] = [await page.locator('.spotlight').boundingBox(), await target.boundingBox()]
        if (ring === null || box === null) return false
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
        return ring.x < x && x < ring.x + ring.width && ring.y < y && y < ring.y + ring.height
      })
      .toBe(true)
  }
  const channels = page.getByRole('button', { name: 'Channels', exact: true })
  await pointsAt(channels)
  await channels.tap()
  await pointsAt(page.locator('[data-channel=tips]'))
  await picture(page, 'tour-narrow')
  await page.locator('[data-channel=tips]').tap()
  await pointsAt(page.locator('#composer'))
  expect(await height()).toBe(before)
  for (const title of ['Scan and pay', 'Tip somebody', 'Drop some', 'Be somebody else', 'Send it to', 'See that']) {
    await page.getByRole('button', { name: 'Next' }).tap()
    await page.locator('.tour h2', { hasText: title }).waitFor()
    expect(await page.locator('.tour p').textContent()).not.toMatch(/Tab|Enter/)
    expect(await height()).toBe(before)
  }
  await pointsAt(page.getByRole('button', { name: 'Books' }))
})
