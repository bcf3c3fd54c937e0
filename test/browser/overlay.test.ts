import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../tipping/world.ts'
import { closeBrowser, newProfile, picture } from './browser.ts'

afterAll(closeBrowser)

test('an overlay shows a tip soon after its commit, on a transparent background', async () => {
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
    const reading = page.waitForResponse((response) => response.url().endsWith('/api/v1/events')).catch(() => undefined)
    await page.goto(`${server.address}/overlay#key=${secret}`)
    await reading
    const origin = { ...world.origin(), guild: 'guild', channel: 'lounge' }
    await world.tipping.tips.send({ from: 'alice', to: [{ id: 'bob', bot: false }], amount: '1234', origin })
    const committed = performance.now()
    await page.getByText('⚡ 1,234 test sats').waitFor()
    expect(performance.now() - committed).toBeLessThan(5_000)
    await picture(page, 'overlay')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgba(0, 0, 0, 0)')
    expect(faults).toEqual([])
    await page.goto(`${server.address}/overlay?key=wrong`)
    const how = `Open it as ${server.address}/overlay#key=KEY.`
    await page.getByText(`The key of this page does not work. ${how}`).waitFor()
    await page.goto(`${server.address}/overlay`)
    await page.getByText(`This page needs a key. ${how}`).waitFor()
    // A key that is typed behind # takes effect immediately.
    await page.goto(`${server.address}/overlay#key=wrong`)
    await page.getByText('The key of this page does not work.').waitFor()
  } finally {
    await context.close()
    await server.close()
    await world.close()
  }
})
