import { afterEach, describe, expect, it } from 'vitest'
import { createStatusPage } from '../../src/bot/bot.ts'
import { languages } from '../../src/bot/i18n/languages.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import type { StatusView } from '../../src/tipping/tipping.ts'
import { createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { ManualClock } from '../support/manual-clock.ts'

const clock = new ManualClock()
let server: WebServer
let readings: number

async function serve(status: StatusView): Promise<void> {
  readings = 0
  server = await createWebServer({
    tipping: { hint: async () => 'unknown' },
    status: {
      view: async () => {
        readings += 1
        return status
      },
      testMoney: () => false,
      page: createStatusPage(() => false),
    },
    port: 0,
    clock,
    logger: silentLogger,
  })
}

afterEach(() => server.close())

const PROVEN: NonNullable<StatusView['proven']> = {
  at: new Date(Date.UTC(2030, 0, 1)),
  holds: true,
  owed: sats(2_100),
  wallet: undefined,
  expected: sats(2_100),
  mayHaveLeft: ZERO,
  mayHaveArrived: ZERO,
  root: 'ab'.repeat(32),
}

const view: StatusView = {
  proven: PROVEN,
  inFlight: { count: 1, oldestSince: new Date(Date.UTC(2029, 11, 31)) },
  paused: { source: 'operator', reason: 'a <script>look</script>' },
}

/** Resolves to the page as received by a browser that requests these languages. */
async function pageFor(acceptLanguage: string): Promise<string> {
  const headers = { 'accept-language': acceptLanguage }
  return await (await fetch(`${server.address}/status`, { headers })).text()
}

/** Returns the texts that people read on a page and that have three words or more. */
function phrasesOf(page: string): string[] {
  const texts = page.replace(/<style>[\s\S]*?<\/style>/, '').match(/[^<>]+(?=<)/g) ?? []
  return texts.map((text) => text.trim()).filter((text) => /\p{L}+ \p{L}+ \p{L}+/u.test(text))
}

describe('the status page', () => {
  it('shows debt and proof without scripts, and loads nothing', async () => {
    await serve(view)
    const response = await fetch(`${server.address}/status`)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    for (const without of ['form-action', 'base-uri', 'frame-ancestors']) expect(policy).toContain(`${without} 'none'`)
    const page = await response.text()
    expect(page).toMatch(/2,100 sats[\s\S]*not known[\s\S]*1, the oldest since/)
    expect(page).toContain('As of <time datetime="2030-01-01T00:00:00.000Z">')
    expect(page).toContain('<time datetime="2029-12-31T00:00:00.000Z">Dec 31, 2029, 12:00')
    expect(page).toContain('ab'.repeat(32))
    expect(page).not.toMatch(/<script|https?:/)
    expect(page).toContain('The operators have paused outgoing payments.')
  })

  it.each(['cover', 'operator', 'restore'] as const)(
    'reports a pause from the source “%s”, but not the reason',
    async (source) => {
      await serve({ ...view, paused: { source, reason: 'carol took 5 sats' } })
      for (const path of ['/status', '/status.json']) {
        const text = await (await fetch(server.address + path)).text()
        expect(text).toMatch(/paused/)
        expect(text).not.toContain('carol')
      }
    },
  )

  it('draws debt and holdings on one scale', async () => {
    const proven = { ...PROVEN, owed: sats(2_000), wallet: sats(1_500), holds: false }
    await serve({ ...view, proven })
    const page = await (await fetch(`${server.address}/status`)).text()
    expect(page).toMatch(/class="fill-accent" x="0.00" width="100.00"[\s\S]*class="fill-bad" x="0.00" width="75.00"/)
    expect(page).toContain('did not agree')
  })

  it('offers programs the same figures in msats', async () => {
    await serve(view)
    const answer = await fetch(`${server.address}/status.json`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const data = await answer.json()
    expect(data).toEqual({
      testMoney: false,
      proven: {
        at: '2030-01-01T00:00:00.000Z',
        holds: true,
        owedMsats: '2100000',
        walletMsats: null,
        expectedMsats: '2100000',
        mayHaveLeftMsats: '0',
        mayHaveArrivedMsats: '0',
        root: 'ab'.repeat(32),
      },
      inFlight: { count: 1, oldestSince: '2029-12-31T00:00:00.000Z' },
      paused: true,
    })
  })

  it('reads the figures once for simultaneous requests, and again later', async () => {
    await serve(view)
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.address}/status`)))
    expect(readings).toBe(1)
    await clock.advance(2_000)
    await fetch(`${server.address}/status.json`)
    expect(readings).toBe(2)
  })

  it('says so if there has been no audit yet', async () => {
    await serve({ ...view, proven: undefined, paused: undefined })
    expect(await (await fetch(`${server.address}/status`)).text()).toContain(
      'not been compared with the wallet yet. Look again',
    )
  })

  it.each([
    ['de', 'de', ['Wo die Sats sind', '2.100 Sats', '31.12.2029, 00:00 UTC</time>', '>/status prüfen:True</code>']],
    ['ar, fr-CA;q=0.8, de;q=0.5', 'fr', ['Où sont les sats', '2\u202f100 sats', '31 déc. 2029, 00:00 UTC</time>']],
    ['zh-HK', 'zh-TW', ['sats 在哪裡', '2,100 sats']],
    ['ar', 'en', ['Where the sats are', '2,100 sats', 'Dec 31, 2029']],
    ['', 'en', ['Where the sats are']],
  ])('is written in the first language of “%s” that the page has', async (asked, language, texts) => {
    await serve(view)
    const page = await pageFor(asked)
    expect(page).toContain(`<html lang="${language}">`)
    for (const text of texts) expect(page).toContain(text)
  })

  it.each<[string, Partial<StatusView>]>([
    ['all is well', { proven: { ...PROVEN, wallet: sats(2_100) }, paused: undefined }],
    ['the wallet cannot be read', {}],
    [
      'the wallet does not cover the books',
      { proven: { ...PROVEN, holds: false }, paused: { source: 'cover', reason: '' } },
    ],
    ['a backup has been restored', { proven: undefined, paused: { source: 'restore', reason: '' } }],
  ])('is shown without English texts in the other languages when %s', async (_, status) => {
    await serve({ ...view, ...status })
    const english = phrasesOf(await pageFor('en'))
    expect(english.length).toBeGreaterThan(3)
    for (const { code } of languages.slice(1)) {
      const page = await pageFor(code)
      expect(page).toContain(`<html lang="${code}">`)
      expect(phrasesOf(page).filter((phrase) => english.includes(phrase))).toEqual([])
    }
  })
})
