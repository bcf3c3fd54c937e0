import { afterAll, expect, test } from 'vitest'
import { createOverlayTexts } from '../../src/bot/bot.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../tipping/world.ts'
import { closeBrowser, newProfile, picture } from './browser.ts'

afterAll(closeBrowser)

test('an overlay shows a new tip on a transparent background, and reports a bad key', async () => {
  const world = await TippingWorld.open({ besideOthers: false })
  const about = { keys: world.tipping.apiKeys, events: world.tipping.serverEvents, everybodySees: () => true }
  const server = await createWebServer({
    ...{ tipping: { hint: async () => 'unknown' }, port: 0, clock: systemClock, logger: silentLogger },
    keyedApi: {
      ...about,
      people: () => ({ localeOf: () => 'en', moderator: async () => [], person: async () => undefined }),
      isConnected: () => true,
      knows: () => true,
      testMoney: () => true,
      overlayTexts: createOverlayTexts(() => true),
      requestsPerSecond: 0,
    },
  })
  const context = await newProfile({ viewport: { width: 640, height: 360 }, locale: 'en' })
  try {
    for (const member of ['alice', 'bob']) await world.fund(member, 2_000)
    const { interaction } = world.origin()
    const terms = { guild: 'guild', channel: 'lounge', member: 'mod', name: 'stream', budget: undefined, days: 1 }
    const { secret } = await world.tipping.apiKeys.create({ ...terms, scopes: ['events'], interaction })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    await page.clock.install()
    await page.goto(`${server.address}/overlay#key=${secret}`)
    // A page that waits says so for a moment, and is then empty, because a stream shows it.
    const connected = page.getByText('✓ Connected. Gifts appear here: /tip on Discord')
    await connected.waitFor()
    await picture(page, 'overlay-waiting')
    await page.clock.fastForward(8_000)
    await connected.waitFor({ state: 'detached' })
    await page.reload()
    await connected.waitFor()
    const origin = { ...world.origin(), guild: 'guild', channel: 'lounge' }
    await world.tipping.tips.send({ from: 'alice', to: [{ id: 'bob', bot: false }], amount: '1234', origin })
    const committed = performance.now()
    await page.getByText('⚡ 1,234 test sats').waitFor()
    expect(await connected.count()).toBe(0)
    expect(performance.now() - committed).toBeLessThan(5_000)
    await picture(page, 'overlay')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgba(0, 0, 0, 0)')
    expect(faults).toEqual([])
    await page.goto(`${server.address}/overlay?key=wrong`)
    const wrongKey = page.getByText('The key in this address does not work.')
    await wrongKey.waitFor()
    await page.goto(`${server.address}/overlay`)
    await page.getByText('The key is missing from this address.').waitFor()
    // A key that is typed behind # takes effect immediately.
    await page.goto(`${server.address}/overlay#key=wrong`)
    await wrongKey.waitFor()
  } finally {
    await context.close()
    await server.close()
    await world.close()
  }
})
