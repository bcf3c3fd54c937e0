import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../src/lib/logger.ts'
import { html } from '../../src/lib/web/html.ts'
import { createWebServer } from '../../src/web/web-server.ts'
import { ManualClock } from '../support/manual-clock.ts'

async function serve() {
  const shown: (string | undefined)[] = []
  const pages = {
    show: async (card: string, language: string | undefined) => {
      shown.push(language)
      return { found: card === 'known', page: html`<p>${card}</p>` }
    },
    missing: (language: string | undefined) => html`<p>nothing, in ${language}</p>`,
    state: async (card: string) => (card === 'known' ? 'open' : undefined),
  }
  const clock = new ManualClock()
  const server = await createWebServer({
    tipping: { hint: async () => 'unknown' as const },
    payPages: { pages, policy: "default-src 'none'" },
    port: 0,
    clock,
    logger: silentLogger,
  })
  onTestFinished(() => server.close())
  return { shown, clock, ask: (path: string, init?: RequestInit) => fetch(server.address + path, init) }
}

it('the server sends a pay page that is not cached or indexed, and sends no referrer', async () => {
  const { ask, shown } = await serve()
  const answer = await ask('/pay/known', { headers: { 'accept-language': 'de' } })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('<p>known</p>')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  expect(shown).toEqual(['de'])
  expect(await (await ask('/pay/known/state')).json()).toEqual({ state: 'open' })
})

it('the server answers 404, as a page or as data, if there is nothing to pay', async () => {
  const { ask } = await serve()
  expect((await ask('/pay/strange')).status).toBe(404)
  const state = await ask('/pay/strange/state')
  expect(state.status).toBe(404)
  expect(await state.json()).toMatchObject({ message: 'There is nothing to pay at this address. Check the link.' })
})

it('the server answers a browser’s request for an unknown URL with a 404 page', async () => {
  const { ask } = await serve()
  const answer = await ask('/connect/strange', { headers: { accept: 'text/html,*/*', 'accept-language': 'de' } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
  expect(await answer.text()).toBe('<p>nothing, in de</p>')
  expect(await (await ask('/connect/strange')).json()).toMatchObject({ code: 'unknown_route' })
})

it('a HEAD request, which previews send, makes no invoice', async () => {
  const { ask, shown } = await serve()
  expect((await ask('/pay/known', { method: 'HEAD' })).status).toBe(405)
  expect(shown).toEqual([])
})

it('a client whose IP address has reached its limit of requests must wait', async () => {
  const { ask, clock } = await serve()
  const answers = []
  for (let i = 0; i < 51; i += 1) answers.push((await ask('/pay/known/state')).status)
  expect(answers.filter((status) => status === 200)).toHaveLength(50)
  const refused = await ask('/pay/known')
  expect(refused.status).toBe(429)
  await clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
  expect((await ask('/pay/known')).status).toBe(200)
})
