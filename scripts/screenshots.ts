/**
 * `npm run screenshots [-- FOLDER]`: plays a few scenes in its own playground and stores pictures of the page: in
 * docs/pictures, for the README, or in the given folder. One of the pictures moves: that of the first tip. Needs
 * Chromium (`CHROMIUM_PATH`, default /usr/bin/chromium) and, for emoji, a font that has them.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PHONE_HOLDS } from '../src/cli/open-playground.ts'
import { systemClock } from '../src/lib/clock.ts'
import { systemEntropy } from '../src/lib/entropy.ts'
import { silentLogger } from '../src/lib/logger.ts'
import { createWorld } from '../src/playground/create-world.ts'
import { createPageServer } from '../src/playground/page-server.ts'
import type { PlaygroundWorld } from '../src/playground/world.ts'
import { type Frame, movingPicture } from './screenshots/moving-picture.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'pictures')
const desktop = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }
/** A desktop on which members and phone fit side by side. */
const wideDesktop = { viewport: { width: 1560, height: 1156 }, deviceScaleFactor: 1.25 }
/** The smallest desktop on which phone and conversation fit side by side. */
const cinema = { viewport: { width: 1100, height: 840 }, deviceScaleFactor: 1 }
const pocket = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
if (!existsSync(chromiumPath)) throw new Error(`There is no Chromium at ${chromiumPath}. Set CHROMIUM_PATH.`)
mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'satchel-screenshots-'))
const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
const world = await createWorld({ ...around, folder: data, phoneHolds: PHONE_HOLDS })
const server = await createPageServer({ world, port: 0, ...around })
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  await playScenes(browser, server.url, world)
} finally {
  await browser.close()
  await server.close()
  await world.close()
  rmSync(data, { recursive: true, force: true })
}

async function playScenes(browser: Browser, url: string, world: PlaygroundWorld): Promise<void> {
  await playFirstTip(browser, url)
  const alice = await openTab(browser, url, 'alice', { ...wideDesktop, colorScheme: 'dark' })
  await alice.click('[data-channel=tips]')
  await alice.getByText('Welcome to #tips').waitFor()
  await payDeposit(alice)
  await useCommand(alice, '/link alice')
  await dismissAll(alice)
  say(world, 'bob', 'I have written down how to run a node on an old laptop. Ask me if you get stuck!')
  say(world, 'carol', 'That helped me a lot, **thank you** 🧡')
  await alice.getByText('That helped me a lot').waitFor()
  await alice.locator('#composer').click()
  await tipBob(alice)
  const bob = await openTab(browser, url, 'bob', { ...desktop, colorScheme: 'light' })
  await bob.click('[data-channel=tips]')
  await bob.getByText('tipped').waitFor()
  // The first command claims his waiting sats.
  await useCommand(bob, '/link bob')
  await bob
    .getByText(/In your (wallet|balance)/)
    .first()
    .waitFor()
  await dismissAll(bob)
  await bob.locator('#composer').click()
  await bob.keyboard.type('/invoice 1500')
  await bob.getByRole('button', { name: /Add the option description/ }).click()
  await bob.keyboard.type('A coffee for the next chapter')
  await bob.keyboard.press('Enter')
  await alice.getByRole('button', { name: 'Members' }).click()
  await alice.locator('.is-qr .scan-button').click()
  await alice.getByRole('button', { name: 'Pay 1,500 sats' }).waitFor()
  await keep(alice, 'playground')
  await keepInOtherTheme(alice, 'playground-light')
  await alice.getByRole('button', { name: 'Pay 1,500 sats' }).click()
  await alice.getByRole('button', { name: 'Done' }).click()
  await alice.locator('#composer').click()
  await drop(alice)
  await bob.getByRole('tab', { name: 'Books' }).click()
  await bob.getByText('The service’s books').waitFor()
  await keep(bob, 'books')
  await alice.locator('#composer').click()
  await alice.keyboard.type('/')
  await alice.getByRole('listbox').waitFor()
  await keep(alice, 'commands')
  const phone = await openTab(browser, url, 'alice', { ...pocket, colorScheme: 'dark' })
  await phone.getByRole('button', { name: 'Channels', exact: true }).click()
  await phone.getByRole('button', { name: /^tips/ }).click()
  await phone.getByText('tipped').waitFor()
  await keep(phone, 'pocket')
}

/** Plays from an empty balance to the first tip, and stores this as a moving picture. */
async function playFirstTip(browser: Browser, url: string): Promise<void> {
  const page = await openTab(browser, url, 'carol', { ...cinema, colorScheme: 'dark' })
  const frames: Frame[] = []
  const show = async (ms: number) => {
    await page.mouse.move(0, 0)
    // All animations have come to rest, so that each frame shows a state.
    await page.waitForTimeout(500)
    frames.push({ png: await page.screenshot(), ms })
  }
  const type = async (text: string) => {
    for (const piece of text.match(/.{1,3}/g) ?? []) {
      await page.keyboard.type(piece)
      frames.push({ png: await page.screenshot(), ms: 160 })
    }
    await show(700)
  }
  await page.click('[data-channel=general]')
  await page.getByText('Welcome to #general').waitFor()
  await page.locator('#composer').click()
  await show(1_000)
  await type('/deposit 2000')
  await page.keyboard.press('Enter')
  const scan = page.getByRole('button', { name: 'Scan with the phone' })
  await scan.first().waitFor()
  await show(1_800)
  await scan.first().click()
  const pay = page.getByRole('button', { name: 'Pay 2,000 sats' })
  await pay.waitFor()
  await show(1_400)
  await pay.click()
  await page.getByText('has arrived').waitFor()
  await show(1_800)
  await page.getByRole('button', { name: 'Done' }).click()
  await dismissAll(page)
  await page.locator('#composer').click()
  await type('/tip dave 500')
  await page.keyboard.press('Enter')
  await page.getByText('tipped').waitFor()
  await show(4_000)
  const file = join(folder, 'first-tip.png')
  writeFileSync(file, movingPicture(frames))
  console.log(file)
  await page.context().close()
}

async function payDeposit(page: Page): Promise<void> {
  await page.keyboard.type('/deposit 25000')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Scan with the phone' }).first().click()
  await page.getByRole('button', { name: 'Pay 25,000 sats' }).click()
  await page.getByText('has arrived').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
}

async function tipBob(page: Page): Promise<void> {
  await page.keyboard.type('/tip bob')
  await page.keyboard.press('Enter')
  await page.keyboard.type('500')
  await page.getByRole('button', { name: /Add the option note/ }).click()
  await page.keyboard.type('for the guide. It runs!')
  await page.keyboard.press('Enter')
  await page.getByText('tipped').waitFor()
}

async function drop(page: Page): Promise<void> {
  await page.keyboard.type('/drop 2100')
  await page.keyboard.press('Tab')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.getByText('drops 7 shares').waitFor()
}

async function useCommand(page: Page, text: string): Promise<void> {
  await page.locator('#composer').click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await page
    .locator('.used', { hasText: text.split(' ')[0] ?? '' })
    .last()
    .waitFor()
  await page.locator('.thinking').waitFor({ state: 'detached' })
}

/** Dismisses private replies, which the pictures are not about. */
async function dismissAll(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Dismiss message' })
  for (let left = await buttons.count(); left > 0; left = await buttons.count()) {
    await buttons.first().click()
    await page.waitForTimeout(150)
  }
}

function say(world: PlaygroundWorld, name: string, text: string): void {
  world.emulator.as(world.cast.people[name] ?? '').say(world.cast.channels.tips, text)
}

async function openTab(browser: Browser, url: string, as: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.addInitScript('localStorage.tour ??= \'{"step":null,"ended":true}\'')
  await page.goto(`${url}/?as=${as}`)
  await page.locator('.message-list').waitFor({ state: 'attached' })
  return page
}

async function keep(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForTimeout(600)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(join(folder, `${name}.png`))
}

async function keepInOtherTheme(page: Page, name: string): Promise<void> {
  const dark = await page.evaluate('document.documentElement.dataset.theme === "dark"')
  await page.evaluate(`document.documentElement.dataset.theme = "${dark ? 'light' : 'dark'}"`)
  await keep(page, name)
  await page.evaluate(`document.documentElement.dataset.theme = "${dark ? 'dark' : 'light'}"`)
}
