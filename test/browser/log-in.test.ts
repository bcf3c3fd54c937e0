import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/payments-service/wallet-page/i18n/languages.ts'
import { ServiceWorld } from '../payments-service/harness.ts'
import { LogIns } from '../payments-service/log-in/log-in-world.ts'
import { faults } from './axe.ts'
import { closeBrowser, newProfile, picture } from './browser.ts'

afterAll(closeBrowser)

/**
 * Starts a program on a different site from the service's: a page with a link, the address to which users return, and a
 * page after that.
 */
async function openGame(link: () => string) {
  const seen: IncomingMessage[] = []
  const server: Server = createServer((request, response) => {
    seen.push(request)
    if (request.url?.startsWith('/callback')) return void response.writeHead(302, { location: '/home' }).end()
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/home' ? '<h1>At home</h1>' : `<a href="${link()}">Log in</a>`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return { url, seen, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('a user who allows a log-in returns to the program; no Referer reveals the code', async () => {
  const world = await ServiceWorld.open()
  const game = await openGame(() => world.url + logIns.address({ redirect_uri: `${game.url}/callback` }))
  const logIns = await LogIns.open(world, { redirectUris: [`${game.url}/callback`] })
  const { token } = await world.administration.createUser('alice')
  const context = await newProfile({ locale: 'en' })
  try {
    const page = await context.newPage()
    await page.goto(game.url)
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByText('Space Game waits for your answer').waitFor()
    const other = await context.newPage()
    await other.goto(`${world.url}/wallet/sign-in?token=${token}`)
    await other.getByRole('button', { name: 'Sign in as alice' }).click()
    await other.close()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Log in to Space Game' }).waitFor()
    await page.goto(game.url)
    await page.getByRole('link', { name: 'Log in' }).click()
    // The wallet's cookie is strict, but it is still sent.
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'At home' }).waitFor()
    const back = new URL(game.seen.find((request) => request.url?.startsWith('/callback'))?.url ?? '', game.url)
    expect(back.searchParams.get('iss')).toBe(world.url)
    const exchanged = await logIns.exchange(back.searchParams.get('code') ?? '', {
      redirect_uri: `${game.url}/callback`,
    })
    expect(exchanged.status).toBe(200)
    await page.goto(`${world.url}/wallet/settings`)
    await page.getByRole('button', { name: 'Disconnect Space Game' }).scrollIntoViewIfNeeded()
    expect(await faults(page)).toEqual([])
    await picture(page, 'log-in-connected-apps')
    await page.getByRole('button', { name: 'Disconnect Space Game' }).click()
    await expect.poll(() => page.getByText('Space Game').count()).toBe(0)
    for (const { headers } of game.seen) expect(headers.referer ?? '').not.toMatch(/code=|oauth2|wallet/)
  } finally {
    await context.close()
    await game.close()
    await world.close()
  }
})

test('the consent page is accessible in both themes and fits a phone in every language', async () => {
  const world = await ServiceWorld.open()
  const logIns = await LogIns.open(world)
  const { token } = await world.administration.createUser('alice')
  try {
    for (const [name, viewport] of Object.entries({
      phone: { width: 360, height: 780 },
      desktop: { width: 1280, height: 800 },
    })) {
      const context = await newProfile({ viewport, locale: 'en' })
      const page = await context.newPage()
      const { token: again } = await world.administration.userToken(
        (await world.administration.listUsers())[0]?.userId ?? token,
      )
      await page.goto(`${world.url}/wallet/sign-in?token=${again}`)
      await page.getByRole('button', { name: 'Sign in as alice' }).click()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(world.url + logIns.address())
        await page.getByRole('button', { name: 'Allow' }).waitFor()
        expect(await faults(page)).toEqual([])
        await picture(page, `log-in-${name}-${colorScheme}`)
      }
      for (const language of name === 'phone' ? Object.keys(LANGUAGES) : []) {
        await context.addCookies([{ name: 'wallet-language', value: language, url: world.url }])
        await world.clock.advance(1_000)
        await page.reload()
        expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'), language).toBe(false)
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
      }
      await context.close()
    }
    const context = await newProfile({ viewport: { width: 360, height: 780 }, locale: 'en' })
    const page = await context.newPage()
    await page.goto(world.url + logIns.address())
    await page.getByText('waits for your answer').waitFor()
    await picture(page, 'log-in-signed-out')
    await page.goto(world.url + logIns.address({ redirect_uri: 'https://evil.example' }))
    await picture(page, 'log-in-wrong-address')
    await context.close()
  } finally {
    await world.close()
  }
})
