import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { connectOwnWallet } from '../../src/playground/flows/from-wallet-to-wallet.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { startPage } from '../playground/page-fixture.ts'
import { faults } from './axe.ts'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

/** Opens the page with `options`, and starts one of the tours. */
async function begin(url: string, tour: string, options: object = {}): Promise<Page> {
  const page = await openTab(url, options)
  await page.getByRole('button', { name: 'Guided tours' }).click()
  await page.getByText('Choose a tour').waitFor()
  await page.locator('.tour').getByRole('button', { name: tour }).click()
  return page
}

function stepOf(page: Page) {
  return (title: string) => page.locator('.tour h2', { hasText: title }).waitFor()
}

/** Sends a command with a value for each of its fields, in their order. */
async function send(page: Page, command: string, ...values: string[]): Promise<void> {
  await fill(page, command, ...values)
  await page.keyboard.press('Enter')
}

/** Sends a command whose last value is chosen from a list: the first Enter only accepts that value. */
async function sendChosen(page: Page, command: string, ...values: string[]): Promise<void> {
  await fill(page, command, ...values)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
}

async function fill(page: Page, command: string, ...values: string[]): Promise<void> {
  await page.locator('#composer').click()
  await page.keyboard.type(`${command} `)
  for (const [at, value] of values.entries()) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(value)
  }
}

/** Follows `/wallet` to the page that connects a wallet, and pastes the connection that the tour has copied. */
async function connect(page: Page): Promise<void> {
  await page
    .locator('.tour')
    .getByRole('button', { name: /^Copy / })
    .click()
  await page.getByText('is copied').waitFor()
  await send(page, '/wallet')
  await page.getByRole('button', { name: 'Connect my wallet' }).last().click()
  const [way] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open the page' }).last().click(),
  ])
  const text = await page.evaluate('navigator.clipboard.readText()')
  await way.getByRole('textbox').first().fill(String(text))
  await picture(way, 'tour-connect-page')
  await way
    .getByRole('button', { name: /Connect/ })
    .first()
    .click()
  await way.getByText('Your wallet is connected.').waitFor()
  await way.close()
}

test('the tour of own wallets shows a tip that does not change the book', async () => {
  const { url, world } = await openPlayground()
  const page = await begin(url, 'Own wallets', { permissions: ['clipboard-read', 'clipboard-write'] })
  const step = stepOf(page)
  await step('Bob and Alice have wallets')
  await page.getByRole('button', { name: 'Become Bob' }).click()
  await page.locator('[data-channel=tips]').click()
  await step('Connect Bob’s wallet')
  await connect(page)
  await step('Connect Alice’s, too')
  await page.getByRole('button', { name: 'Become Alice' }).click()
  await connect(page)
  await step('Tip from wallet to wallet')
  await send(page, '/tip bob 500')
  await step('See that nothing moved')
  await page.getByRole('tab', { name: 'Own wallets' }).click()
  await page.getByText('Satchel’s book: 0 sats moved', { exact: true }).waitFor()
  await page.getByText('49,500 sats').waitFor()
  await page.getByText('50,500 sats').waitFor()
  await step('Tip somebody without a wallet')
  await picture(page, 'tour-own-wallets')
  await send(page, '/tip carol 100')
  await page.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await page.getByRole('button', { name: 'Pay 100 sats' }).click()
  await page.getByText('Satchel’s book: 100 sats moved').waitFor()
  await page.getByText('Sats that Satchel never holds').waitFor()
  await picture(page, 'tour-own-wallets-over')
  expect(await faults(page)).toEqual([])
  const { wallets, gifts } = await world.ownWallets()
  expect(wallets.map(({ balance, connected }) => [balance, connected])).toEqual([
    [49_500_000n, true],
    [50_500_000n, true],
  ])
  expect(gifts.map(({ way, amount, booked }) => [way, amount, booked])).toEqual([
    ['balance', 100_000n, 100_000n],
    ['wallet', 500_000n, 0n],
  ])
})

test('the tour of rewards leads from an empty pool to a rule, a list and a drop', async () => {
  const { url, world } = await openPlayground()
  const { carol } = world.cast.people
  world.emulator.as(carol ?? '').say(world.cast.channels.general, 'How to open a channel, step by step')
  const page = await begin(url, 'Rewards', { acceptDownloads: true })
  const step = stepOf(page)
  await step('You are a moderator')
  await page.getByRole('button', { name: 'Become Mod' }).click()
  await step('Fill the pool')
  await send(page, '/pool fund 5000')
  await page.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await page.getByRole('button', { name: 'Pay 5,000 sats' }).click()
  await step('Say who may spend')
  await sendChosen(page, '/pool budget', '@Moderators', '2000', 'a day')
  await step('Make a rule')
  await send(page, '/rule create', 'A good post', '100', '1000')
  await step('Let the rule pay')
  await picture(page, 'tour-rule')
  const post = page.locator('.message', { hasText: 'How to open a channel' }).first()
  await post.hover()
  await post.getByRole('button', { name: 'React' }).click()
  await page.getByRole('menuitem', { name: 'React with 🏅' }).click()
  await step('Pay a list')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save kitchen.csv' }).click(),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'satchel-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await file.saveAs(join(folder, 'kitchen.csv'))
  await send(page, '/pool pay')
  await page.locator('input[type=file]').setInputFiles(join(folder, 'kitchen.csv'))
  await page.locator('input[data-field=reason]').fill('Kitchen')
  await page.keyboard.press('Enter')
  await step('Look, then pay')
  await picture(page, 'tour-list')
  await page.getByText('Line 4: “Alice, 50”').waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await step('Drop from the pool')
  await picture(page, 'tour-list-paid')
  await fill(page, '/drop 300 3')
  await page.getByRole('button', { name: /^\d more$/ }).click()
  await page.getByRole('button', { name: /^Add the option from/ }).click()
  await page.keyboard.type('pool')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Add the option reason/ }).click()
  await page.keyboard.type('Friday')
  await picture(page, 'tour-drop')
  await page.keyboard.press('Enter')
  await step('Take a share')
  await page.getByRole('button', { name: 'Become Carol' }).click()
  await page.getByRole('button', { name: 'Take a share' }).click()
  await page.getByText('Rewards that run themselves').waitFor()
  await picture(page, 'tour-rewards-over')
  await world.settled()
  const [bot] = await world.books()
  expect(bot?.accounts.find(({ kind, name }) => kind === 'member' && name === 'carol')?.balance).toBe(400_000n)
  expect(bot?.totals.pool).toBe(4_300_000n)
})

test('each tab of the drawer can be opened on a phone', async () => {
  const { page: server } = await startPage()
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await openTab(server.url, { ...phone, colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Books', exact: true }).tap()
  for (const name of ['Books', 'Wire', 'Waiting', 'Own wallets']) {
    await page.getByRole('tab', { name }).tap()
    expect(await page.getByRole('tab', { name }).getAttribute('aria-selected')).toBe('true')
  }
  const bar = await page.locator('.drawer-tabs').boundingBox()
  expect(bar?.height).toBeLessThan(40)
  await page.getByRole('button', { name: 'Copy connection' }).waitFor()
  expect(await page.evaluate('document.querySelector(".drawer-panel").scrollWidth')).toBeLessThanOrEqual(390)
  await picture(page, 'own-wallets-narrow')
})

test.each([
  ['Own wallets', 'alice', 6],
  ['Rewards', 'mod', 9],
] as const)('the tour “%s” fits a phone, stays in place and mentions no Enter key', async (tour, as, count) => {
  const { page: server } = await startPage()
  const phone = { as, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await openTab(server.url, phone)
  await page.getByRole('button', { name: 'Channels', exact: true }).tap()
  await page.getByRole('button', { name: 'Guided tours' }).tap()
  const width = async () => await page.evaluate('document.querySelector(".tour-steps").scrollWidth')
  const box = async () => await page.locator('.tour').boundingBox()
  expect(await width()).toBeLessThanOrEqual(390)
  await picture(page, 'tour-narrow-choice')
  await page.locator('.tour').getByRole('button', { name: tour }).tap()
  const first = await box()
  for (let step = 1; step <= count; step += 1) {
    await page.getByText(`Step ${step} of ${count}`).waitFor()
    expect(await box(), `step ${step}`).toEqual(first)
    expect(await width(), `step ${step}`).toBeLessThanOrEqual(390)
    expect(await page.locator('.tour p').textContent()).not.toMatch(/foot of the page|on the side|Enter/)
    await picture(page, `tour-narrow-${tour}-${step}`)
    if (step < count) await page.getByRole('button', { name: 'Next' }).tap()
  }
})

test('without custody, a giver can pay a tip from a wallet that is not connected', async () => {
  const { url, world } = await openPlayground({ custody: 'none' })
  await connectOwnWallet(new Stage(world, silentTeller), 'bob')
  const page = await openTab(url, { as: 'carol' })
  await page.locator('[data-channel=tips]').click()
  await send(page, '/tip bob 500')
  await page.getByText('Only you can see this').waitFor()
  await page.getByRole('button', { name: 'Pay from another wallet' }).click()
  await page.getByText('paid from wallet to wallet').waitFor()
  await page.getByText(/Paid: /).waitFor()
  await picture(page, 'no-custody-code')
})

test('without custody, a tip to somebody without a wallet is a promise', async () => {
  const { url, world } = await openPlayground({ custody: 'none' })
  const stage = new Stage(world, silentTeller)
  for (const who of ['alice', 'bob']) await connectOwnWallet(stage, who)
  const page = await begin(url, 'Own wallets')
  const step = stepOf(page)
  await page.getByRole('button', { name: 'Become Bob' }).click()
  await page.locator('[data-channel=tips]').click()
  await step('Tip from wallet to wallet')
  await page.getByRole('button', { name: 'Become Alice' }).click()
  await send(page, '/tip bob 500')
  await step('See that nothing moved')
  await page.getByRole('tab', { name: 'Own wallets' }).click()
  await page.getByText('Satchel’s book: 0 sats moved', { exact: true }).waitFor()
  await step('Tip somebody without a wallet')
  await send(page, '/tip carol 100')
  await page.getByText('Sats that Satchel never holds').waitFor()
  await page.getByText(/^promised, not paid yet/).waitFor()
  await picture(page, 'no-custody')
  expect(await page.getByRole('button', { name: 'Phone' }).count()).toBe(0)
  expect(await page.getByText(/^Service (up|down)$/).count()).toBe(0)
  const books = await world.books()
  expect(books.map(({ side, entries }) => [side, entries.length])).toEqual([['bot', 0]])
})
