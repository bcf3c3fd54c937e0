import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A home server's name, which browsers trust less than this machine.
  '--host-resolver-rules=MAP umbrel.local 127.0.0.1',
]

/** The folder in which the tests store their pictures. */
const pictures = 'reports/browser'

let running: Promise<Browser> | undefined

/** Resolves to the system's Chromium, which is started once for each test file. */
function browser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) throw new Error(`There is no Chromium at ${executablePath}. Set CHROMIUM_PATH.`)
  running ??= chromium.launch({ executablePath, args: flags })
  return running
}

/** The time limit of browser actions: a busy machine may need longer than Playwright's own limit. */
const TIMEOUT_MS = 100_000

/** Opens a new profile in the system's Chromium. */
export async function newProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  const profile = await (await browser()).newContext(options)
  profile.setDefaultTimeout(TIMEOUT_MS)
  return profile
}

export async function closeBrowser(): Promise<void> {
  await (await running)?.close()
  running = undefined
}

/** Opens a page as wide as a phone, in its own profile. */
export async function phonePage(look: BrowserContextOptions = {}): Promise<Page> {
  const context = await newProfile({ viewport: { width: 390, height: 844 }, ...look })
  onTestFinished(() => context.close())
  return await context.newPage()
}

export interface TabOptions extends BrowserContextOptions {
  /** The person's username; alice by default. */
  readonly as?: string
  /** Whether the page begins with the guided tour, as for a newcomer. */
  readonly tour?: boolean
}

/**
 * Opens the page in a tab with its own profile. Any fault on the page, and any request to another host, fails the test.
 */
export async function openTab(url: string, { as = 'alice', tour = false, ...options }: TabOptions = {}): Promise<Page> {
  const context = await newProfile({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`${error.message}\n${error.stack}`))
  page.on('console', (message) => {
    // Faults that a test intends: a playground that is away or restarted, and refusals by Discord or the wallet.
    const isMeant = /ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of (404|422)/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isMeant) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(`asked ${request.url()}`)
  })
  onTestFinished(async () => {
    await context.close()
    if (faults.length > 0) throw new Error(`The page had faults:\n${faults.join('\n')}`)
  })
  if (!tour) await page.addInitScript('localStorage.tour ??= \'{"step":null,"ended":true}\'')
  await page.goto(`${url}/?as=${as}`)
  await page.locator('.message-list').waitFor({ state: 'attached' })
  return page
}

/** Stores a picture of the tab; with `fullPage`, it includes the parts that need scrolling. */
export async function picture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the faults that axe's accessibility rules find, or on request only those that depend on the theme. */
export async function violations(page: Page, { coloursAlone = false } = {}): Promise<string[]> {
  // Injected past the page's own policy, which permits no other script.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  const results = (await page.evaluate(
    `axe.run(${coloursAlone ? "{ runOnly: ['color-contrast', 'link-in-text-block'] }" : ''})`,
  )) as AxeResults
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Returns the faults in the light and the dark theme, and stores a picture of each theme under this name. */
export async function violationsInBothThemes(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${name}-${colorScheme}`, { fullPage: true })
    found.push(...(await violations(page, { coloursAlone: colorScheme === 'dark' })))
  }
  return found
}
