import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { operateService } from '../../src/assembly/operate-service.ts'
import { OperatorsBoard } from '../../src/assembly/operators-board.ts'
import { createSettings } from '../../src/assembly/settings/settings.ts'
import { parseConfig, readEnvFile, Secret } from '../../src/config/config.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger, silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { RecentLines } from '../../src/lib/recent-lines.ts'
import { createWebServer, type ServiceAdministration, type SettingsAdministration } from '../../src/web/web-server.ts'
import { AdministrationWorld } from '../payments-service/administration/administration-world.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { closeBrowser, phonePage, violationsInBothThemes } from './browser.ts'

afterAll(closeBrowser)

const PASSWORD = 'correct horse battery'

/** Opens the console of a bot with two records that wait for operators. */
async function openConsole(operated?: ServiceAdministration, settingsOf?: (clock: Clock) => SettingsAdministration) {
  const world = await aliceHasSome({ replays: false })
  onTestFinished(() => world.close())
  await world.linked('bob')
  world.provider.misbehave('payToGamertag', 'act-then-error')
  await world.tip('alice', 'bob', '100')
  const { clock } = world
  const recent = new RecentLines(clock)
  const logger = createLogger({ level: 'info', name: 'x', destination: { write: () => {} }, recent })
  const board = new OperatorsBoard(
    { clock, entropy: systemEntropy, logger, recent },
    { ...parseConfig({ CONSOLE_PASSWORD: PASSWORD }), atService: () => operated, settings: settingsOf?.(clock) },
  )
  board.watch({ tipping: world.tipping, provider: 'http://127.0.0.1:8787' })
  const server = await createWebServer({
    tipping: { hint: async () => 'unknown' as const },
    operators: { pages: board, publicUrl: undefined },
    ...{ port: 0, clock, logger },
  })
  onTestFinished(() => server.close())
  // Browsers support passkeys for this name of the machine, but for no IP address.
  return { world, url: `${server.address.replace('127.0.0.1', 'localhost')}/console` }
}

async function mustBeFine(page: Page, name: string): Promise<void> {
  expect(await violationsInBothThemes(page, name)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false)
}

async function signIn(page: Page, password = PASSWORD): Promise<void> {
  await page.getByLabel("The operators' password").fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('operators pause and resume payments and propose a payment’s outcome on a phone', async () => {
  const { world, url } = await openConsole()
  const page = await phonePage()
  await page.goto(url)
  await mustBeFine(page, 'console-sign-in')
  await signIn(page)
  await page.getByText('1 payment has an unknown outcome').waitFor()
  await page.getByLabel('Reason for the pause').fill('a look at the node')
  await page.getByRole('button', { name: 'Pause outgoing payments' }).click()
  await page.getByText('✓ Outgoing payments are paused.').waitFor()
  await page.getByRole('radio', { name: 'The sats have left' }).check()
  await page.getByLabel('Where you saw it').fill('the node’s history, 12:00')
  await page.getByRole('button', { name: 'Decide' }).click()
  await page.getByText('1 proposal waits for an operator').waitFor()
  await page.getByText('For sats that moved without a command').click()
  await page.evaluate('window.scrollTo(0, 0)')
  await mustBeFine(page, 'console')
  await world.clock.advance(5 * 60_000)
  await page.getByRole('button', { name: 'Resume outgoing payments' }).first().click()
  await page.getByText('a sign-in of the last five minutes').waitFor()
  await mustBeFine(page, 'console-once-more')
  await page.getByLabel("The operators' password").fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in and do it' }).click()
  await page.getByText('✓ Outgoing payments are allowed again.').waitFor()
  expect((await world.tipping.administration.status()).paused).toBeUndefined()
  expect(await world.tipping.administration.proposals(9)).toMatchObject([{ by: 'console:password' }])
})

/** Adds a device with passkeys, which Chromium emulates. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      isUserVerified: true,
    },
  })
  const isUserVerified = (is: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: is })
  return { isUserVerified }
}

test('operators add a passkey on a phone, then sign in and resume payments with it', async () => {
  const { world, url } = await openConsole()
  const page = await phonePage()
  const device = await addAuthenticator(page)
  await page.goto(url)
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
  await signIn(page)
  await page.getByRole('link', { name: 'Passkeys' }).click()
  await page.getByLabel('Name of the passkey').fill('my phone')
  await device.isUserVerified(false)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Nothing was chosen, or it took too long').waitFor()
  await mustBeFine(page, 'console-passkey-asked')
  await device.isUserVerified(true)
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  await page.getByText('✓ The passkey is added.').waitFor()
  await mustBeFine(page, 'console-passkeys')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(url)
  await mustBeFine(page, 'console-sign-in-passkey')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByLabel('Reason for the pause').fill('a look at the node')
  await page.getByRole('button', { name: 'Pause outgoing payments' }).click()
  await world.clock.advance(5 * 60_000)
  await page.getByRole('button', { name: 'Resume outgoing payments' }).first().click()
  await page.getByRole('button', { name: 'Use a passkey and do it' }).waitFor()
  await mustBeFine(page, 'console-once-more-passkey')
  await page.getByRole('button', { name: 'Use a passkey and do it' }).click()
  await page.getByText('✓ Outgoing payments are allowed again.').waitFor()
  expect(await world.tipping.administration.passkeys.list()).toMatchObject([
    { label: 'my phone', origin: new URL(url).origin },
  ])
})

test('operators search the log on a phone and see a line’s details', async () => {
  const { url } = await openConsole()
  const page = await phonePage()
  await page.goto(url)
  await signIn(page, 'not the password')
  await signIn(page)
  await page.getByRole('link', { name: 'Log' }).click()
  await page.getByLabel('With this text').fill('signed in')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('1 line.').waitFor()
  await page.getByText('Details').click()
  await page.getByText('"how": "password"').waitFor()
  await mustBeFine(page, 'console-log')
})

/** Fills a server's pool, and adds a budget, a rule, and a reward that waits for a second moderator. */
async function fillPool(world: TippingWorld): Promise<void> {
  const { tipping } = world
  const guild = '123456789012345678'
  const at = () => ({ guild, origin: world.origin() })
  await tipping.pools.give({ ...at(), member: 'alice', amount: '800' })
  await tipping.pools.budget({ guild, member: 'owner', role: guild, amount: '2000', period: 'week' })
  await tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(100) } })
  const whom = { to: { id: 'bob', bot: false }, roles: [], member: 'mod' }
  await world.run(tipping.rewards.give({ ...at(), ...whom, amount: '150', reason: 'for the stage at the meetup' }))
  const terms = { amount: '10', budget: '300', reason: 'well done', role: '1', trial: false, interaction: '7' }
  await tipping.rules.create({ guild, member: 'mod', recipe: 'role-welcome', ...terms })
}

test('operators see the pools on a phone', async () => {
  const { world, url } = await openConsole()
  await fillPool(world)
  const page = await phonePage()
  await page.goto(url)
  await signIn(page)
  await page.getByRole('link', { name: 'Pools' }).click()
  await page.getByText('1 reward waits for a second moderator').waitFor()
  await mustBeFine(page, 'console-pools')
})

test('operators create a project and a key and redeliver a callback on a phone', async () => {
  const service = await AdministrationWorld.open()
  onTestFinished(() => service.close())
  const { administration } = service
  const { projectId } = await administration.createProject('Satchel')
  await administration.createUser('satoshi')
  const lost = { projectId, receiver: 'https://shop.example', url: 'https://shop.example/hook', body: '{}' }
  const told = { messageId: 'm1', resource: 'charge:1', lastError: 'answered 500', attempts: 12 }
  const at = { createdAt: service.time(), deadLetteredAt: service.time() }
  await service.have((tx) => tx.callback.create({ data: { ...lost, ...told, ...at } }))
  const publicUrl = 'https://pay.example'
  const { url } = await openConsole(operateService({ administration, ownProject: projectId, publicUrl }))
  const page = await phonePage()
  await page.goto(url)
  await signIn(page)
  await page.getByRole('link', { name: 'Payments service' }).click()
  await page.getByLabel('Name of a new project').fill('Webshop')
  await page.getByRole('button', { name: 'Make a project' }).click()
  await page.getByText('It is shown only now').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).nth(1).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await page.locator('dd code').nth(1).textContent())
  await mustBeFine(page, 'console-project')
  await page.getByText('Another key').click()
  await page.getByRole('checkbox', { name: 'ask for sats' }).uncheck()
  await page.getByLabel('Days it lasts').fill('30')
  await mustBeFine(page, 'console-service')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('✓ The key is made.').waitFor()
  const projects = await administration.listProjects()
  const shop = projects.find(({ name }) => name === 'Webshop')?.projectId ?? ''
  expect((await administration.listKeys(shop)).map(({ scopes }) => scopes)).toContainEqual(['read'])
  await page.getByRole('button', { name: 'Deliver it again' }).click()
  await page.getByText('✓ The callback is delivered again.').waitFor()
})

test('operators change settings on a phone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'settings.env')
  writeFileSync(file, 'DISCORD_TOKEN=MTA.Gx.abc\nHOME_GUILD_ID=123456789012345678\nLOG_LEVEL=debug\n')
  const environment = { LND_REST_URL: 'https://10.21.21.9:8080', TRUST_PROXY: 'true' }
  const botToken = new Secret('MTA.Gx.abc')
  const settings = (clock: Clock) =>
    createSettings({
      ...{ file, environment, botToken, apiUrl: 'http://127.0.0.1:9', isAlone: false },
      runtime: { clock, entropy: systemEntropy, logger: silentLogger },
      ...{
        believesClock: () => true,
        isIn: () => true,
        whyNoChannel: async () => undefined,
        whyNotOurs: async () => undefined,
      },
    })
  const { url } = await openConsole(undefined, settings)
  const page = await phonePage()
  await page.goto(url)
  await signIn(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('The channel for alerts').fill('general')
  await page.locator('#operators').getByRole('button', { name: 'Check and save' }).click()
  await page.getByText('must be a Discord id of 17 to 20 digits').waitFor()
  await mustBeFine(page, 'console-settings-refused')
  await page.getByLabel('The channel for alerts').fill('223456789012345678')
  await page.locator('#operators').getByRole('button', { name: 'Check and save' }).click()
  await page.getByText('✓ Written.').waitFor()
  await page.getByRole('radio', { name: 'One: me' }).check()
  await page.getByRole('button', { name: 'Check and propose' }).last().click()
  await page.getByText('✓ Noted.').waitFor()
  await mustBeFine(page, 'console-settings')
  expect(readEnvFile(file)).toMatchObject({ OPERATORS_CHANNEL_ID: '223456789012345678', LOG_LEVEL: 'debug' })
})
