/**
 * `node scripts/language-sheets.ts [FOLDER] [LANGUAGE...]`: draws the main cards, answers, pictures and pages in each
 * language, or in the given ones, and lays them side by side: sheets to look at, and one file of the cards' texts.
 * Their folder is `reports/languages`, or the given one. Needs Chromium (`CHROMIUM_PATH`, default /usr/bin/chromium),
 * and fonts of all scripts.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { languages } from '../src/bot/i18n/languages.ts'
import { PHONE_HOLDS } from '../src/cli/open-playground.ts'
import { everyComponent } from '../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../src/discord-emulator/views.ts'
import { type Clock, systemClock } from '../src/lib/clock.ts'
import { systemEntropy } from '../src/lib/entropy.ts'
import { silentLogger } from '../src/lib/logger.ts'
import { LANGUAGES } from '../src/payments-service/wallet-page/i18n/languages.ts'
import { createWorld } from '../src/playground/create-world.ts'
import { type Stage, silentTeller } from '../src/playground/flows/stage.ts'
import { textOf } from '../src/playground/flows/text-of.ts'
import { createPageServer } from '../src/playground/page-server.ts'
import { connectWalletPath } from '../src/web/connect-routes.ts'
import { contactSheets } from './screenshots/contact-sheets.ts'
import { type Eyes, fill, playScenes, speak } from './screenshots/language-scenes.ts'
import { StubbornStage } from './screenshots/stubborn-stage.ts'

const [folder = join(import.meta.dirname, '..', 'reports', 'languages'), ...chosen] = process.argv.slice(2)
const codes = chosen.length > 0 ? chosen : Object.keys(LANGUAGES)
const [code = ''] = codes
if (codes.length > 1) {
  // Each language has its own world: what one leaves open counts towards people's limits in the next.
  const faults = codes.filter(
    (each) => spawnSync(process.execPath, [import.meta.filename, folder, each], { stdio: 'inherit' }).status !== 0,
  )
  if (faults.length > 0) console.error(`Not drawn: ${faults.join(' ')}`)
  process.exit(faults.length === 0 ? 0 : 1)
}
const PHONE = { viewport: { width: 430, height: 932 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 }

/** How far the clock has been set forward, so that nobody waits for a draw. */
let shiftMs = 0
const clock: Clock = {
  now: () => systemClock.now() + shiftMs,
  monotonic: () => systemClock.monotonic() + shiftMs,
  after: (delayMs, action) => systemClock.after(delayMs, action),
}

mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'satchel-language-sheets-'))
const around = { clock, entropy: systemEntropy, logger: silentLogger }
const world = await createWorld({ ...around, folder: data, phoneHolds: PHONE_HOLDS, discordRequestsPerSecond: 10_000 })
const server = await createPageServer({ world, port: 0, ...around })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  const stage = new StubbornStage(world, silentTeller)
  await fill(stage)
  const eyes = { alice: await openConversation(browser, 'alice'), mod: await openConversation(browser, 'mod') }
  const pages = ['/status']
  if (languages.some((each) => each.code === code)) pages.push(...(await drawCards(stage, eyes)))
  await drawPages(stage, browser, pages)
} finally {
  await browser.close()
  await server.close()
  await world.close()
  rmSync(data, { recursive: true, force: true })
}

/** Draws the cards. Resolves to the addresses of the pay pages to which the cards link. */
async function drawCards(stage: Stage, eyes: Readonly<Record<Eyes, Page>>): Promise<string[]> {
  const pictures: Buffer[] = []
  const said: string[] = []
  const payPages: string[] = []
  await speak(stage, code)
  const passes = async (ms: number) => {
    await world.bot.kill()
    shiftMs += ms
    await world.bot.start()
  }
  await playScenes(stage, { code, passes }, async (name, message, who = 'alice') => {
    if (message === undefined) throw new Error(`there is no ${name}`)
    const labels = [...everyComponent(message.components)] as { label?: string; placeholder?: string; url?: string }[]
    payPages.push(...labels.flatMap(({ url }) => (url?.includes('/pay/') ? [new URL(url).pathname] : [])))
    said.push(`## ${name}`, textOf(message))
    said.push(labels.flatMap(({ label, placeholder }) => label ?? placeholder ?? []).join(' | '))
    said.push(...message.attachments.map(({ description }) => `(${description})`))
    pictures.push(await photograph(eyes[who], message))
  })
  writeFileSync(join(folder, `${code}.txt`), said.filter((line) => line !== '').join('\n'))
  keep('cards', contactSheets(pictures, 3))
  return payPages.slice(0, 1)
}

/** Takes a picture of a message, whose position is read right before, since a busy machine scrolls the page late. */
async function photograph(page: Page, { id }: MessageView): Promise<Buffer> {
  await page.locator(`#m${id}`).waitFor({ state: 'attached', timeout: 60_000 })
  const place = `(() => {
    const card = document.getElementById('m${id}')
    card.scrollIntoView({ block: 'start', behavior: 'instant' })
    const { x, y, width, height } = card.getBoundingClientRect()
    return { x, y, width, height }
  })()`
  await page.evaluate(place)
  await page.waitForTimeout(200)
  return await page.screenshot({ clip: await page.evaluate(place), timeout: 60_000 })
}

/** Opens the conversation as somebody sees it on a phone. */
async function openConversation(browser: Browser, who: Eyes): Promise<Page> {
  const page = await browser.newPage({ ...PHONE, viewport: { width: 430, height: 1_800 }, colorScheme: 'dark' })
  await page.addInitScript('localStorage.tour ??= \'{"step":null,"ended":true}\'')
  await page.goto(`${server.url}/?as=${who}`)
  await page.locator('.message-list').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Channels', exact: true }).click()
  await page.getByRole('button', { name: /^tips/ }).click()
  return page
}

/** Draws the pages of bot and service, as a phone shows them. */
async function drawPages(stage: Stage, browser: Browser, paths: readonly string[]): Promise<void> {
  const viewport = { width: 430, height: 1_400 }
  const context = await browser.newContext({ ...PHONE, viewport, extraHTTPHeaders: { 'accept-language': code } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const pictures: Buffer[] = []
  const visit = async (address: string) => {
    await page.goto(address)
    pictures.push(await page.screenshot({ fullPage: true }))
  }
  const bot = world.bot.callbackUrl
  for (const path of paths) await visit(bot + path)
  const { token } = await world.bot.tipping.ownWallets.invite({ member: stage.id('alice'), locale: code })
  await visit(bot + connectWalletPath(token))
  await visit(await world.service.walletLink('alice'))
  await page.locator('form[action="/wallet/sign-in"] button').click({ timeout: 60_000 })
  for (const path of ['', '/send', '/receive', '/history', '/settings', '/redeem', '/nothing']) {
    await visit(`${world.service.url}/wallet${path}`)
  }
  await context.close()
  keep('pages', contactSheets(pictures, 4))
}

function keep(what: string, sheets: readonly Buffer[]): void {
  for (const [at, sheet] of sheets.entries()) {
    const file = join(folder, `${code}-${what}-${at + 1}.png`)
    writeFileSync(file, sheet)
    console.log(file)
  }
}
