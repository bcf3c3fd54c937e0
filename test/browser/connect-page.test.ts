import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { qrPng } from '../../src/lib/lightning/qr.ts'
import { connectWalletPath, type WebServer } from '../../src/web/web-server.ts'
import type { ScriptedWallet } from '../support/scripted-wallets.ts'
import { TippingWorld } from '../tipping/world.ts'
import { serveConnectPages } from '../web/connect-pages-server.ts'
import { faultsInBothThemes } from './axe.ts'
import { closeBrowser, newProfile, picture } from './browser.ts'
import { cameraThatSees } from './camera.ts'

let world: TippingWorld
let web: WebServer

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  web = await serveConnectPages(world)
})

afterEach(async () => {
  await web.close()
  await world.close()
})

afterAll(closeBrowser)

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const DESKTOP = { viewport: { width: 1_280, height: 800 } }

async function open(look: object = {}): Promise<Page> {
  const context = await newProfile({ locale: 'en', ...look })
  onTestFinished(() => context.close())
  return await context.newPage()
}

async function link(): Promise<string> {
  const { token } = await world.tipping.ownWallets.invite({ member: 'alice', locale: 'en' })
  return web.address + connectWalletPath(token)
}

/**
 * Starts a hub whose owner agrees immediately, and which then sends the browser back as Alby Hub does. Resolves to its
 * address.
 */
async function hubOf(wallet: ScriptedWallet): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://hub')
    wallet.agreed.add(searchParams.get('pubkey') ?? '')
    const back = new URL(searchParams.get('return_to') ?? '')
    back.searchParams.append('relay', 'wss://relay.example.com')
    back.searchParams.append('relay', 'wss://other.example.com')
    back.searchParams.append('pubkey', wallet.connection.walletPubkey)
    response.writeHead(302, { location: back.href }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('a person who approves the connection at a hub returns with a connected wallet', async () => {
  const wallet = world.wallets.add('my hub')
  const page = await open(DESKTOP)
  await page.goto(await link())
  await page.getByText('Alby Hub, or a hub like it').click()
  await page.getByLabel('Address of your hub').fill(await hubOf(wallet))
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('shows what I ask for').waitFor()
  await picture(page, 'connect-way-out')
  await page.getByRole('link', { name: 'Open my hub' }).click()
  await page.getByText('Your wallet is connected.').waitFor()
  await picture(page, 'connect-done')
  expect(page.url()).toBe(`${web.address}/wallet/connect`)
  expect(await world.tipping.ownWallets.mine('alice')).toMatchObject({ name: 'my hub' })
})

test('a connection started in one browser cannot be completed in another browser', async () => {
  const wallet = world.wallets.add('my hub')
  const mallory = await open(DESKTOP)
  await mallory.goto(await link())
  await mallory.getByText('Alby Hub, or a hub like it').click()
  await mallory.getByLabel('Address of your hub').fill(await hubOf(wallet))
  await mallory.getByRole('button', { name: 'Go on' }).click()
  const way = await mallory.getByRole('link', { name: 'Open my hub' }).getAttribute('href')
  const victim = await open(DESKTOP)
  await victim.goto(way ?? '')
  await victim.getByText('This connection was started in another browser').waitFor()
  expect(await world.tipping.ownWallets.mine('alice')).toBeUndefined()
})

test('a wallet app’s answer connects the wallet and leaves no secret in the page’s URL', async () => {
  const wallet = world.wallets.add('app')
  const page = await open(PHONE)
  await page.goto(await link())
  await page.getByText('A wallet app on this phone').tap()
  await page.getByRole('button', { name: 'Go on' }).filter({ visible: true }).tap()
  const way = (await page.getByRole('link', { name: 'Open the wallet app' }).getAttribute('href')) ?? ''
  const callback = new URL(new URLSearchParams(way.split('?')[1]).get('callback') ?? '')
  callback.searchParams.set('value', wallet.uri)
  await page.goto(callback.href)
  await page.getByText('Your wallet app has answered').waitFor()
  expect(page.url()).not.toContain('walletconnect')
  await page.getByRole('button', { name: 'Connect' }).tap()
  await page.getByText('Your wallet is connected.').waitFor()
})

test('scanning a connection code with the camera fills in the connection field', async () => {
  const wallet = world.wallets.add('phone')
  const page = await open(PHONE)
  const png = await qrPng(wallet.uri)
  await page.addInitScript(cameraThatSees(png))
  await page.goto(await link())
  await page.getByRole('button', { name: 'Scan a code' }).tap()
  await expect.poll(() => page.getByLabel('Connection').inputValue()).toBe(wallet.uri)
  await page.getByRole('button', { name: 'Connect' }).tap()
  await page.getByText('Your wallet is connected.').waitFor()
})

test('no connection can be entered if the link is used or its owner cannot be loaded', async () => {
  const page = await open(PHONE)
  const address = await link()
  await page.route('**/whose', (route) => route.abort())
  await page.goto(address)
  await page.getByText('I could not find out whose link this is.').waitFor()
  expect(await page.getByLabel('Connection').isVisible()).toBe(false)
  await page.unroute('**/whose')
  await page.reload()
  await page.getByText('Alice <b> (@alice)').waitFor()
  await link()
  await page.reload()
  await page.getByText('This link has already been used').waitFor()
  expect(await page.getByLabel('Connection').isVisible()).toBe(false)
})

describe('the connect page', () => {
  test.each([
    ['desktop', DESKTOP, 2],
    ['phone', PHONE, 3],
  ] as const)('has no serious axe-core fault in either theme, and fits the width of a %s', async (name, look, ways) => {
    const page = await open(look)
    await page.goto(await link())
    await page.getByText('Alice <b> (@alice)').waitFor()
    expect(await page.locator('summary').filter({ visible: true }).count()).toBe(ways)
    for (const summary of ['Alby Hub, or a hub like it', 'Paste or scan a connection']) {
      await page.getByText(summary).click()
      await picture(page, `connect-${name}-${summary.split(' ')[0]}`)
      expect(await faultsInBothThemes(page)).toEqual([])
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
