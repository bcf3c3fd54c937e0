/**
 * `node scripts/recipe-pictures.ts [FOLDER]`: lets a rule of each recipe pay once, in a playground of its own, and
 * stores a picture of what people see, for docs/REWARDS.md, in docs/pictures/recipes or the given folder. Needs
 * Chromium (`CHROMIUM_PATH`, default /usr/bin/chromium) and, for emoji, a font that has them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { PHONE_HOLDS } from '../src/cli/open-playground.ts'
import type { MessageView } from '../src/discord-emulator/views.ts'
import { systemClock } from '../src/lib/clock.ts'
import { systemEntropy } from '../src/lib/entropy.ts'
import { silentLogger } from '../src/lib/logger.ts'
import { createWorld } from '../src/playground/create-world.ts'
import { Stage, silentTeller } from '../src/playground/flows/stage.ts'
import { createPageServer } from '../src/playground/page-server.ts'
import type { RecipeName } from '../src/tipping/rules/recipes.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'pictures', 'recipes')
const DAY_MS = 86_400_000
/** The time after the creation of its rule at which a membership reaches its day. */
const SOON_MS = 2_000
const THREAD = 'no route'
/** The margin around the two messages, in pixels of the page. */
const MARGIN = 6

interface Scene {
  readonly text: string
  readonly reason: string
  readonly amount: string
  /** The days of membership that the author reaches right after the rule was created. */
  readonly days?: number
  readonly role?: string
  readonly emoji?: string
}

const SCENES: Readonly<Record<RecipeName, Scene>> = {
  'role-welcome': { text: 'Hello everybody!', reason: 'Welcome to the Regulars', amount: '500', role: '@Regulars' },
  'role-weekly': { text: 'The bot is updated.', reason: 'Thanks for this week', amount: '300', role: '@Regulars' },
  'role-monthly': { text: 'A quiet month on #support.', reason: 'Thanks for May', amount: '1000', role: '@Regulars' },
  'first-week': { text: 'I like it here.', reason: 'Your first week', amount: '100', days: 7 },
  'first-month': { text: 'Already a month?', reason: 'Your first month', amount: '250', days: 30 },
  birthday: { text: 'Morning!', reason: 'One more year with us', amount: '1000', days: 365 },
  solved: { text: 'That no channel with room leads there.', reason: 'A helpful answer', amount: '250', emoji: '✅' },
  'good-post': { text: 'How to open a channel, step by step', reason: 'A good post', amount: '300', emoji: '🏅' },
  'bug-report': { text: 'On iOS the code is cut off.', reason: 'Found a bug', amount: '500', emoji: '🐛' },
  'daily-thanks': { text: 'I have cleaned up the wiki.', reason: 'Thank you', amount: '50', emoji: '🙏' },
}

mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'satchel-recipe-pictures-'))
const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
const world = await createWorld({ ...around, folder: data, phoneHolds: PHONE_HOLDS })
const server = await createPageServer({ world, port: 0, ...around })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  const stage = new Stage(world, silentTeller)
  const [charge] = await stage.command('mod', 'pool fund', { amount: '20000' })
  await stage.pay(await stage.scan(must(charge), 'pool'))
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '20000', period: 'day' })
  await stage.command('bob', 'balance')
  const page = await open()
  for (const [recipe, scene] of Object.entries(SCENES)) await play(stage, page, recipe as RecipeName, scene)
} finally {
  await browser.close()
  await server.close()
  await world.close()
  rmSync(data, { recursive: true, force: true })
}

async function play(stage: Stage, page: Page, recipe: RecipeName, scene: Scene): Promise<void> {
  const { text, reason, amount, days, role, emoji } = scene
  const { emulator, cast } = stage.world
  if (days !== undefined) {
    emulator.world.addMember(cast.server, stage.id('bob'), { joinedAt: Date.now() - days * DAY_MS + SOON_MS })
  }
  const terms = { recipe, amount, budget: '5000', reason, ...(role !== undefined && { role }) }
  await stage.command('mod', 'rule create', terms)
  if (days !== undefined) await pause(SOON_MS)
  const ownerId = stage.id('alice')
  const thread =
    recipe === 'solved' ? emulator.world.createThread(stage.channel(), { name: THREAD, ownerId }).id : undefined
  if (thread !== undefined) stage.person('alice').say(thread, 'What does “no route” mean?')
  const said = stage.person('bob').say(thread ?? stage.channel(), text)
  await stage.world.settled()
  if (emoji !== undefined) {
    stage.person(recipe === 'solved' ? 'alice' : 'mod').react(said.channelId, said.id, emoji)
    await stage.world.settled()
  }
  const card = await cardAfter(stage, said)
  await photograph(page, said, card, recipe)
  const [choice] = await stage.person('mod').autocomplete(stage.channel(), 'rule stop', { rule: '' }, 'rule')
  await stage.command('mod', 'rule stop', { rule: String(choice?.value) })
}

async function cardAfter(stage: Stage, { id, channelId }: MessageView): Promise<MessageView> {
  let card: MessageView | undefined
  await stage.until('the rule has paid', async () => {
    card = stage
      .person('alice')
      .conversation(channelId)
      .find((each) => BigInt(each.id) > BigInt(id) && /from the pool/.test(JSON.stringify(each)))
    return card !== undefined
  })
  return must(card)
}

async function open(): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1060, height: 900 },
    colorScheme: 'dark',
    deviceScaleFactor: 1,
  })
  await page.addInitScript('localStorage.tour ??= \'{"step":null,"ended":true}\'')
  await page.goto(`${server.url}/?as=alice`)
  await page.locator('.message-list').waitFor({ state: 'attached' })
  return page
}

/** Photographs both messages, and nothing else. */
async function photograph(page: Page, said: MessageView, card: MessageView, name: string): Promise<void> {
  await page.click(`[data-channel="${name === 'solved' ? THREAD : 'tips'}"]`)
  await page.locator(`#m${card.id}`).scrollIntoViewIfNeeded()
  await page.mouse.move(0, 0)
  await page.waitForTimeout(500)
  const [first, last] = [await boxOf(page, said), await boxOf(page, card)]
  const clip = {
    x: first.x,
    y: first.y - MARGIN,
    width: Math.min(first.width, 460),
    height: last.y + last.height - first.y + 2 * MARGIN,
  }
  await page.screenshot({ path: join(folder, `${name}.png`), clip })
}

async function boxOf(page: Page, { id }: MessageView) {
  return must((await page.locator(`#m${id}`).boundingBox()) ?? undefined)
}

function must<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('there is none')
  return found
}
