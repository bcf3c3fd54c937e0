/**
 * `node scripts/card-pictures.ts [FOLDER]`: draws each kind of card in its own playground, and stores pictures of each
 * kind for computer and phone, dark and light, in `reports/pictures` or the given folder. Needs Chromium
 * (`CHROMIUM_PATH`, default /usr/bin/chromium).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { PHONE_HOLDS } from '../src/cli/open-playground.ts'
import type { MessageView } from '../src/discord-emulator/views.ts'
import { systemClock } from '../src/lib/clock.ts'
import { systemEntropy } from '../src/lib/entropy.ts'
import { silentLogger } from '../src/lib/logger.ts'
import { createWorld } from '../src/playground/create-world.ts'
import { Stage, silentTeller } from '../src/playground/flows/stage.ts'
import { createPageServer } from '../src/playground/page-server.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'reports', 'pictures')
const LOOKS = {
  'desktop-dark': { viewport: { width: 1000, height: 1300 }, colorScheme: 'dark' },
  'desktop-light': { viewport: { width: 1000, height: 1300 }, colorScheme: 'light' },
  'phone-dark': { viewport: { width: 390, height: 1300 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
  'phone-light': { viewport: { width: 390, height: 1300 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const

mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'satchel-card-pictures-'))
const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
const world = await createWorld({ ...around, folder: data, phoneHolds: PHONE_HOLDS, ownEmoji: true })
const server = await createPageServer({ world, port: 0, ...around })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  const pages = await Promise.all(
    Object.entries(LOOKS).map(async ([look, context]) => [look, await open(context)] as const),
  )
  await play(new Stage(world, silentTeller), async (name, message) => {
    if (message === undefined) throw new Error(`there is no ${name}`)
    for (const [look, page] of pages) await photograph(page, message, `${name}-${look}`)
  })
} finally {
  await browser.close()
  await server.close()
  await world.close()
  rmSync(data, { recursive: true, force: true })
}

/** Plays scenes that show alice each kind of card. */
async function play(
  stage: Stage,
  keep: (name: string, message: MessageView | undefined) => Promise<void>,
): Promise<void> {
  const latest = (pattern: RegExp) => stage.sees('alice', pattern)
  const [deposit] = await stage.command('alice', 'deposit', { amount: '50000' })
  if (deposit === undefined) throw new Error('there is no deposit')
  await stage.pay(await stage.scan(deposit, 'deposit'))
  await stage.command('alice', 'link', { wallet: 'alice' })
  await keep('deposit', (await stage.command('alice', 'deposit', { amount: '2100' }))[0])
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500', note: 'for the guide. It runs!' })
  await keep('tip', await latest(/tipped .*500 /))
  const also = ['carol', 'dave'].map((who) => `<@${stage.id(who)}>`).join(' ')
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '210', also })
  await keep('tip-several', await latest(/210 /))
  for (const who of ['bob', 'carol', 'dave']) stage.person(who).say(stage.channel(), 'Good morning!')
  await stage.world.settled()
  await stage.command('alice', 'rain', { amount: '900' })
  await keep('rain', await latest(/rain/i))
  await keep('invoice', (await stage.command('alice', 'invoice', { amount: '1500', description: 'A coffee' }))[0])
  await stage.command('alice', 'drop', { amount: '2100', shares: 7 })
  const drop = await latest(/drops .*7 shares/)
  await stage.press('bob', drop, 'Take a share')
  await keep('drop', await latest(/drops .*7 shares/))
  await stage.command('alice', 'drop', { amount: '300', shares: 2, puzzle: 'sum' })
  await keep('drop-sum', await latest(/drops .*2 shares/))
  await stage.command('alice', 'giveaway start', { prize: '1000', winners: 2, duration: '1m' })
  const open = await latest(/gives away .*1,000 /)
  for (const who of ['bob', 'carol', 'dave']) await stage.press(who, open, 'Enter')
  await keep('giveaway-open', await latest(/gives away .*1,000 /))
  const conversation = () => stage.person('alice').conversation(stage.channel())
  await stage.until(
    'winners are drawn',
    async () => conversation().some((each) => /won/.test(JSON.stringify(each.components))),
    180_000,
  )
  await keep('giveaway-result', await latest(/won/))
  await keep('giveaway-drawn', await latest(/gives away .*1,000 /))
  await keep('giveaway-verify', (await stage.press('alice', await latest(/gives away .*1,000 /), 'Verify'))[0])
  await keep('leaderboard', (await stage.command('alice', 'leaderboard'))[0])
  await keep('stats', (await stage.command('alice', 'stats'))[0])
  await keep('receipt', (await stage.command('alice', 'receipt'))[0])
}

async function open(context: (typeof LOOKS)[keyof typeof LOOKS]): Promise<Page> {
  const page = await browser.newPage({ ...context, deviceScaleFactor: 1.5 })
  await page.addInitScript('localStorage.tour ??= \'{"step":null,"ended":true}\'')
  await page.goto(`${server.url}/?as=alice`)
  await page.locator('.message-list').waitFor({ state: 'attached' })
  if (context.viewport.width < 600) {
    await page.getByRole('button', { name: 'Channels', exact: true }).click()
    await page.getByRole('button', { name: /^tips/ }).click()
  } else await page.click('[data-channel=tips]')
  return page
}

async function photograph(page: Page, { id }: MessageView, name: string): Promise<void> {
  const card = page.locator(`#m${id}`)
  await card.scrollIntoViewIfNeeded()
  await page.mouse.move(0, 0)
  // All animations have come to rest.
  await page.waitForTimeout(300)
  await card.screenshot({ path: join(folder, `${name}.png`) })
}
