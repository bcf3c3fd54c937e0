import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parse } from 'node-html-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CallbackKind,
  callbackOccasions,
  callbacks,
  openApiDocument,
  operations,
  refusals,
  signatureHeaders,
} from '../../../src/payments-api/payments-api.ts'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld

beforeAll(async () => {
  world = await ServiceWorld.open({ settings: { publicUrl: 'https://pay.example.org' } })
})
afterAll(() => world.close())

describe('the document /openapi.json', () => {
  it('is generated from the declarations and contains the public address', async () => {
    const { status, headers, json } = await world.raw('GET', '/openapi.json')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    const expected = openApiDocument({ version: json.info.version, serverUrl: 'https://pay.example.org' })
    expect(json).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(json.info.version).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

describe('the page /', () => {
  it('has only links that lead to existing pages', async () => {
    const { status, text, headers } = await world.raw('GET', '/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(parse(text).querySelector('h1')?.text).toMatch(/^\S.*: Lightning payments$/)
    expect(text).toContain('The command /wallet on Discord gives you a sign-in link')
    const links = parse(text)
      .querySelectorAll('main a')
      .map((link) => link.getAttribute('href') ?? '')
    expect(links).toEqual(['/wallet', '/docs', '/openapi.json', '/ready'])
    for (const link of links) expect((await world.raw('GET', link)).status).toBeLessThan(404)
  })
})

describe('a request for an unknown path', () => {
  it('is answered with a page of links for a browser and with JSON for a program', async () => {
    const toBrowser = await world.raw('GET', '/secret-of-mine', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([toBrowser.status, toBrowser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(toBrowser.text).not.toContain('secret-of-mine')
    expect(parse(toBrowser.text).querySelectorAll('main a').length).toBe(4)
    const ofWallet = await world.raw('GET', '/wallet/secret-of-mine', { headers: { accept: 'text/html' } })
    expect(parse(ofWallet.text).querySelector('html')).not.toBeNull()
    expect(ofWallet.text).not.toContain('Nothing here')
    const toProgram = await world.raw('GET', '/secret-of-mine')
    expect([toProgram.status, toProgram.json.code]).toEqual([404, 'unknown_route'])
  })
})

describe('the pages under /docs', () => {
  it('describe each operation with its method, path, fields and refusals', async () => {
    const overview = parse((await world.raw('GET', '/docs')).text)
    const common = overview.querySelector('#errors')?.textContent ?? ''
    for (const { name, family, verb, path, summary, body, response, refusals } of Object.values(operations)) {
      const group = `/docs/${family.toLowerCase().replaceAll(' ', '-')}`
      const { status, text } = await world.raw('GET', group)
      expect(status).toBe(200)
      const root = parse(text)
      const section = root.querySelector(`#${name}`)
      expect(section?.querySelector('h2')?.textContent).toContain(summary)
      expect(section?.querySelector('.route')?.textContent).toBe(`${verb} ${path}`)
      const fields = section?.querySelectorAll('td:first-child code').map((code) => code.textContent) ?? []
      expect(fields).toEqual(expect.arrayContaining([...Object.keys(body?.shape ?? {}), ...response.fields]))
      expect(fields.some((field) => field.startsWith('data.'))).toBe(true)
      for (const code of refusals) expect(`${section?.textContent} ${common}`).toContain(code)
      for (const page of [root, overview]) {
        expect(page.querySelector(`nav a[href="${group}#${name}"]`)?.textContent).toBe(summary)
      }
    }
  })

  it('explain each parameter and list its values if only some are permitted', async () => {
    const families = Object.values(operations).map(({ family }) => family.toLowerCase().replaceAll(' ', '-'))
    for (const group of new Set([...families, 'log-in', 'webhooks'])) {
      const root = parse((await world.raw('GET', `/docs/${group}`)).text)
      const tables = root
        .querySelectorAll('table')
        .filter((table) => table.querySelector('th')?.textContent === 'Field')
      const parameters = tables.filter((table) =>
        ['Path', 'Query', 'Headers'].includes(table.querySelector('caption')?.textContent ?? ''),
      )
      for (const row of parameters.flatMap((table) => table.querySelectorAll('tbody tr')))
        expect(row.querySelector('td:nth-child(3)')?.textContent, row.textContent).not.toBe('')
    }
    const listing = parse((await world.raw('GET', '/docs/users-and-wallet')).text).querySelector('#listTransactions')
    expect(listing?.textContent).toContain('"charge" or "static_charge" or')
  })

  it('list under Pagination each operation that answers in pages', async () => {
    const words = parse((await world.raw('GET', '/docs')).text).querySelector('#pagination')
    const links = words?.querySelectorAll('a').map((link) => link.getAttribute('href') ?? '') ?? []
    const listing = Object.keys(operations).filter((name) => name.startsWith('list'))
    expect(links.map((link) => link.replace(/^.*#/, '')).sort()).toEqual(listing.sort())
    for (const link of links) {
      const [page = '', name] = link.split('#')
      expect(parse((await world.raw('GET', page)).text).querySelector(`#${name}`)).not.toBeNull()
    }
  })

  it('describe each callback with its occasion, headers and fields', async () => {
    const root = parse((await world.raw('GET', '/docs/webhooks')).text)
    for (const [kind, { summary, description }] of Object.entries(callbackOccasions)) {
      const section = root.querySelector(`#${kind}Callback`)
      expect(section?.querySelector('h2')?.textContent).toBe(summary)
      expect(section?.textContent).toContain(description.replaceAll('`', ''))
      const fields = section?.querySelectorAll('td:first-child code').map((code) => code.textContent) ?? []
      const declared = [...Object.keys(signatureHeaders), ...Object.keys(callbacks[kind as CallbackKind].fields)]
      expect(fields).toEqual(expect.arrayContaining(declared))
      expect(root.querySelector(`nav a[href="/docs/webhooks#${kind}Callback"]`)?.textContent).toBe(summary)
    }
  })

  it('explain the code of every refusal', async () => {
    const groups = [
      ...new Set(Object.values(operations).map(({ family }) => family.toLowerCase().replaceAll(' ', '-'))),
    ]
    const pages = await Promise.all(
      ['/docs', '/docs/webhooks', ...groups.map((group) => `/docs/${group}`)].map(async (path) =>
        parse((await world.raw('GET', path)).text),
      ),
    )
    const shown = pages.flatMap((page) => page.querySelectorAll('td:nth-child(2) code').map((code) => code.textContent))
    expect([...new Set(shown)].filter((code) => code in refusals).sort()).toEqual(Object.keys(refusals).sort())
  })

  it('have the headings that readers know from other references', async () => {
    const root = parse((await world.raw('GET', '/docs')).text)
    const headings = root.querySelectorAll('main h2').map((heading) => heading.textContent)
    const usual = ['Authentication', 'Errors', 'Idempotency', 'Pagination', 'Webhooks']
    expect(headings).toEqual(expect.arrayContaining(usual))
  })

  it.each([
    ['paymentHash', '/docs/charges#'],
    ['insufficient_funds', '/docs/payments#sendPayment'],
    ['create voucher', '/docs/vouchers#createVoucher'],
    ['PAY  invoice', '/docs/payments#sendPayment'],
    ['successMessage', '/docs/static-charges#createStaticCharge'],
  ])('show matching links for the search "%s"', async (query, where) => {
    const root = parse((await world.raw('GET', `/docs/search?q=${encodeURIComponent(query)}`)).text)
    const links = root.querySelectorAll('main .found a').map((link) => link.getAttribute('href') ?? '')
    expect(links.some((link) => link.includes(where))).toBe(true)
    for (const link of links) expect((await world.raw('GET', link.replace(/#.*/, ''))).status).toBe(200)
  })

  it.each(['', '%20', 'xyzzy', '<script>alert(1)</script>', 'xyz&q=zzy'])(
    'explain that nothing matches the search "%s"',
    async (query) => {
      const { status, text } = await world.raw('GET', `/docs/search?q=${query}`)
      expect(status).toBe(200)
      expect(parse(text).querySelector('main')?.textContent).toContain('Nothing fits these words')
      expect(parse(text).querySelectorAll('script:not([src="/docs/copy.js"])')).toHaveLength(0)
    },
  )

  it('do not include /docs/nothing, which is answered with 404 and a pointer to /docs', async () => {
    const { status, json } = await world.raw('GET', '/docs/nothing')
    expect([status, json.message]).toEqual([404, 'The reference has no such page. Begin at /docs.'])
  })

  it('load and run only their own style sheet and script', async () => {
    const { text, headers } = await world.raw('GET', '/docs')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=/)
    const root = parse(text)
    expect(root.querySelectorAll('script:not([src="/docs/copy.js"]), img, iframe, [style]')).toHaveLength(0)
    const [style, ...others] = root.querySelectorAll('link[href], [src]')
    expect(others.map((each) => each.getAttribute('src'))).toEqual(['/docs/copy.js'])
    const sheet = await world.raw('GET', style?.getAttribute('href') ?? '')
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(sheet.text).not.toMatch(/url\(|@import/)
  })

  it('show a placeholder instead of the caller’s key', async () => {
    const { apiKey } = await world.project()
    const { text } = await world.raw('GET', '/docs/payments', { apiKey })
    expect(text).not.toContain(apiKey)
    expect(text).toContain('YOUR_API_KEY')
  })
})

it('searches of the docs are rate-limited, but requests for pages are not', async () => {
  await world.clock.advance(60_000)
  const search = async () => (await world.raw('GET', '/docs/search?q=pay')).status
  const statuses: number[] = []
  for (let i = 0; i < 21; i += 1) statuses.push(await search())
  expect(statuses).toEqual([...Array(20).fill(200), 429])
  expect((await world.raw('GET', '/docs/payments')).status).toBe(200)
  await world.clock.advance(1_000)
  expect(await search()).toBe(200)
})

describe('the reference as text', () => {
  it('consists of Markdown pages that cover every operation, field and refusal', async () => {
    const { status, headers, text } = await world.raw('GET', '/llms.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const links = [...text.matchAll(/\]\(https:\/\/pay\.example\.org(\/docs\S*\.md)\)/g)].map(([, path = '']) => path)
    expect(links.slice(0, 2)).toEqual(['/docs/first-charge.md', '/docs.md'])
    const pages = await Promise.all(links.map((path) => world.raw('GET', path)))
    expect(pages.map((page) => [page.status, page.headers.get('content-type')])).toEqual(
      links.map(() => [200, 'text/markdown; charset=utf-8']),
    )
    const whole = pages.map((page) => page.text).join('\n')
    expect(whole).not.toMatch(/<\/?[a-z]+[ >]|&#\d+;|⟦/)
    for (const { summary, verb, path, body, refusals } of Object.values(operations)) {
      expect(whole).toContain(`\n## ${summary}`)
      expect(whole).toContain(`**${verb}** \`${path}\``)
      for (const word of [...Object.keys(body?.shape ?? {}), ...refusals]) expect(whole).toContain(`\`${word}\``)
    }
    expect((await world.raw('GET', '/llms-full.txt')).text).toBe(whole)
    expect((await world.raw('GET', '/docs/nothing.md')).status).toBe(404)
  })
})

describe('the overview of the reference', () => {
  it('explains how additions to the common interface are marked', async () => {
    const { text } = await world.raw('GET', '/docs')
    expect(parse(text).querySelector('main')?.text).toContain('marked additive goes beyond the common interface')
  })
})

describe('the page about the first charge', () => {
  it('is the first page, and its commands work', async () => {
    const first = parse((await world.raw('GET', '/docs')).text).querySelector('nav h2 a')
    expect(first?.getAttribute('href')).toBe('/docs/first-charge')
    const { text } = await world.raw('GET', '/docs/first-charge.md')
    const commands = [...text.matchAll(/```\n([\s\S]*?)\n```/g)].map(([, command = '']) => command)
    expect(commands).toHaveLength(4)
    const { apiKey } = await world.project()
    const run = async (command = '') => {
      const here = command.replace('https://pay.example.org', world.url)
      const { stdout } = await promisify(execFile)('sh', ['-ec', here], {
        env: { PATH: process.env.PATH, KEY: apiKey },
      })
      return JSON.parse(stdout).data
    }
    const charge = await run(commands[2])
    expect(charge).toMatchObject({ amount: '21000', status: 'pending' })
    expect((await run(commands[2])).id).toBe(charge.id)
    await world.sandbox.outside.pay(charge.invoice.request)
    await world.until(async () => (await run(commands[3]?.replace('CHARGE_ID', charge.id))).status === 'completed')
  })

  it('has exactly one script, which the service itself serves', async () => {
    const { text, headers } = await world.raw('GET', '/docs/first-charge')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self';/)
    const [script, ...others] = parse(text).querySelectorAll('script')
    expect(others).toEqual([])
    const { status, headers: ofScript } = await world.raw('GET', script?.getAttribute('src') ?? '')
    expect([status, ofScript.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  })
})
