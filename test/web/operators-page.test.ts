import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OperatorsBoard } from '../../src/assembly/operators-board.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { BookClock } from '../../src/lib/book-clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import { createOperatorSignIns, SESSION_LIFETIME_MS } from '../../src/tipping/administration/operator-sign-ins.ts'
import { markRestored } from '../../src/tipping/audit/restored.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { createWebServer, type OperatorsFigures, signInPath } from '../../src/web/web-server.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

const START = Date.UTC(2030, 0, 2)
const HOSTILE = '<script>alert(1)</script>'
const OLIVIA = { id: '1001', name: 'Olivia' }

const QUIET: OperatorsFigures = {
  bot: {
    status: {
      proven: {
        at: new Date(START - 60_000),
        holds: true,
        owed: sats(2_000),
        wallet: sats(2_500),
        expected: sats(2_500),
        mayHaveLeft: ZERO,
        mayHaveArrived: ZERO,
        root: 'ab'.repeat(32),
      },
      inFlight: { count: 0, oldestSince: undefined },
      paused: undefined,
    },
    ending: undefined,
    pauses: [],
    node: 'ready',
    unknown: [],
    suspense: ZERO,
    operator: ZERO,
    audits: [{ at: new Date(START - 60_000), holds: true, complete: true }],
    alerts: [],
  },
  names: new Map(),
  movement: {
    days: [
      { at: new Date(START - 86_400_000), received: sats(4_000), sent: sats(1_000), given: ZERO },
      { at: new Date(START), received: ZERO, sent: sats(500), given: sats(300) },
    ],
    points: [
      { at: new Date(START - 120_000), owed: sats(1_000), wallet: sats(2_000) },
      { at: new Date(START - 90_000), owed: sats(1_500), wallet: undefined },
      { at: new Date(START - 60_000), owed: sats(2_000), wallet: sats(2_000) },
    ],
  },
  testMoney: false,
  since: new Date(START - 3_600_000),
  provider: '127.0.0.1:8787',
  service: {
    node: { ready: true, reason: undefined, spendable: sats(70_000), receivable: sats(30_000) },
    unknown: { count: 0, oldestMs: 0 },
    callbacks: { waiting: 0, deadLettered: 0, oldestMs: 0 },
  },
}

/** Opens the book in a file, as one process would. */
async function openBook(file: string, clock: ManualClock) {
  const database = await warmTippingDatabase(file)
  const { commit, close } = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock })
  onTestFinished(async () => {
    await close()
    await database.close()
  })
  const clockWatch = new BookClock(clock)
  return { database, signIns: createOperatorSignIns({ database, commit, clockWatch, entropy: systemEntropy }) }
}

function newBook(): string {
  const folder = mkdtempSync(join(tmpdir(), 'operators-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'tipping.sqlite')
}

async function serve(figures: OperatorsFigures = QUIET, publicUrl?: string, file = newBook()) {
  const clock = new ManualClock()
  const log: string[] = []
  const logger = createLogger({ level: 'debug', name: 'page', destination: { write: (line) => void log.push(line) } })
  const { signIns, database } = await openBook(file, clock)
  const page = { signIns: () => signIns, figures: async () => figures, clock, logger }
  const { console } = new OperatorsBoard({ clock, entropy: systemEntropy, logger })
  const server = await createWebServer({
    tipping: { hint: async () => 'unknown' as const },
    operators: { pages: { page, console }, publicUrl },
    port: 0,
    clock,
    logger,
  })
  onTestFinished(() => server.close())
  const ask = (path: string, init?: RequestInit) => fetch(server.address + path, { redirect: 'manual', ...init })
  const send = (token: string, headers: Record<string, string> = {}) =>
    ask('/operators/sign-in', { method: 'POST', headers, body: new URLSearchParams({ key: token }) })
  const look = (cookie: string) => ask('/operators', { headers: { cookie } })
  return { clock, log, signIns, database, ask, send, look, address: server.address }
}

const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

async function signedIn(figures?: OperatorsFigures, operator = OLIVIA) {
  const world = await serve(figures)
  const cookie = cookieOf(await world.send(await world.signIns.invite(operator)))
  return { ...world, cookie, page: async () => await (await world.look(cookie)).text() }
}

describe('a sign-in to the operators’ page', () => {
  it('accepts a link only once, and shows the page only in the browser that used it', async () => {
    const { ask, send, look, signIns } = await serve()
    const token = await signIns.invite(OLIVIA)
    expect((await ask('/operators')).status).toBe(401)
    expect((await ask('/operators/sign-in')).status).toBe(200)
    const answer = await send(token)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console'])
    const shown = await look(cookieOf(answer))
    expect(shown.status).toBe(200)
    expect(await shown.text()).toMatch(/Olivia[\s\S]*Everything works/)

    const again = await send(token)
    expect(again.status).toBe(400)
    expect(again.headers.get('set-cookie')).toBeNull()
    expect(await again.text()).toMatch(/used already[\s\S]*\/admin page/)
  })

  it('is not needed to see the 404 page with its links at an unknown URL', async () => {
    const { ask } = await serve()
    const answer = await ask('/operators/zzz', { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toMatch(
      /<h1>There is no such page<\/h1>[\s\S]*href="\/operators"[\s\S]*href="\/console"/,
    )
  })

  it.each([
    ['no cookie', ''],
    ['an invented cookie', 'operators=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['an empty cookie', 'operators='],
  ])('is required: no figures are shown to a request with %s', async (_, cookie) => {
    const { look } = await serve()
    const answer = await look(cookie)
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toMatch(/2,000|127\.0\.0\.1/)
  })

  it('works with a link or a session at every bot that shares the book, even a new one', async () => {
    const file = newBook()
    const [first, second] = [await serve(QUIET, undefined, file), await serve(QUIET, undefined, file)]
    const token = await first.signIns.invite(OLIVIA)
    const answers = await Promise.all([first.send(token), second.send(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400])
    const cookie = answers.map(cookieOf).find((each) => each !== '') ?? ''
    const third = await serve(QUIET, undefined, file)
    for (const bot of [first, second, third]) expect((await bot.look(cookie)).status).toBe(200)
    await second.ask('/operators/sign-out', { method: 'POST', headers: { cookie } })
    for (const bot of [first, second, third]) expect((await bot.look(cookie)).status).toBe(401)
  })

  it('is stored as a hash in the book, and deleted once it has expired', async () => {
    const { clock, database, send, signIns } = await serve()
    const link = await signIns.invite(OLIVIA)
    const session = cookieOf(await send(await signIns.invite(OLIVIA))).split('=')[1] ?? '?'
    const kept = JSON.stringify(await database.read.operatorPass.findMany())
    expect([kept.includes(link), kept.includes(session)]).toEqual([false, false])
    const { hash } = await database.read.operatorPass.findFirstOrThrow()
    expect((await send(hash)).status).toBe(400)
    await clock.advance(SESSION_LIFETIME_MS)
    await signIns.invite({ id: '1002', name: 'Oscar' })
    expect(await database.read.operatorPass.findMany()).toMatchObject([{ kind: 'link', operator: '1002' }])
  })

  it('ends no later if the clock is set back', async () => {
    const { clock, look, cookie } = await signedIn()
    clock.jump(-3 * SESSION_LIFETIME_MS)
    await clock.advance(SESSION_LIFETIME_MS)
    expect((await look(cookie)).status).toBe(401)
  })

  it('ends when a backup is restored, since it may have been ended after the backup', async () => {
    const { clock, database, look, send, signIns } = await serve()
    const cookie = cookieOf(await send(await signIns.invite(OLIVIA)))
    const link = await signIns.invite(OLIVIA)
    await markRestored(database, { madeAt: '2029-12-31T00:00:00.000Z', now: new Date(clock.now()), paused: false })
    expect((await look(cookie)).status).toBe(401)
    expect((await send(link)).status).toBe(400)
  })

  it('ends after an hour even if the page is in use', async () => {
    const { clock, look, cookie } = await signedIn()
    await clock.advance(SESSION_LIFETIME_MS - 1)
    expect((await look(cookie)).status).toBe(200)
    await clock.advance(1)
    expect((await look(cookie)).status).toBe(401)
  })

  it('ends the browser’s previous session', async () => {
    const { send, look, signIns, cookie } = await signedIn()
    const next = cookieOf(await send(await signIns.invite(OLIVIA), { cookie }))
    expect((await look(cookie)).status).toBe(401)
    expect((await look(next)).status).toBe(200)
  })

  it.each([
    ['http://127.0.0.1:8788', /^operators=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/],
    ['https://tips.example', /^__Host-operators=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/],
  ])('sets a cookie at %s that no script and no other site can read', async (publicUrl, cookie) => {
    const { send, signIns } = await serve(QUIET, publicUrl)
    expect((await send(await signIns.invite(OLIVIA))).headers.get('set-cookie')).toMatch(cookie)
  })

  it.each([
    ['its Origin', { origin: 'https://evil.example' }],
    ['its Origin of null', { origin: 'null' }],
    ['Fetch Metadata', { 'sec-fetch-site': 'cross-site' }],
    ['Fetch Metadata of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
  ])('refuses a form from another site, recognized by %s', async (_, headers) => {
    const { ask, send, look, signIns, cookie } = await signedIn()
    const token = await signIns.invite(OLIVIA)
    const foreign = await send(token, headers as Record<string, string>)
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
    const out = await ask('/operators/sign-out', {
      method: 'POST',
      headers: { cookie, ...headers } as Record<string, string>,
    })
    expect(out.status).toBe(403)
    expect((await look(cookie)).status).toBe(200)
    expect((await send(token)).status).toBe(303)
  })

  it('works from its own page behind a proxy that changes the Host header', async () => {
    const { send, signIns } = await serve(QUIET, 'https://tips.example')
    expect((await send(await signIns.invite(OLIVIA), { origin: 'https://tips.example' })).status).toBe(303)
    expect((await send(await signIns.invite(OLIVIA), { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })

  it('writes the operator’s name to the log, but no token or cookie', async () => {
    const { send, ask, look, signIns, log } = await serve()
    const token = await signIns.invite(OLIVIA)
    expect(signInPath(token)).toBe(`/operators/sign-in#${token}`)
    const cookie = cookieOf(await send(token))
    await look(cookie)
    await send(token)
    await ask(`/operators/nothing?token=${token}`)
    const text = log.join('')
    expect(text).toMatch(/"operator":"1001"/)
    for (const secret of [token, cookie.split('=')[1] ?? '?']) expect(text).not.toContain(secret)
  })
})

it('the operators’ page limits the number of requests from each IP address', async () => {
  const { ask, clock } = await serve()
  const answers = []
  for (let i = 0; i < 21; i += 1) answers.push((await ask('/operators')).status)
  expect(answers.filter((status) => status === 401)).toHaveLength(20)
  const refused = await ask('/operators')
  expect(refused.status).toBe(429)
  await clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
  expect((await ask('/operators')).status).toBe(401)
})

describe('the operators’ page', () => {
  it.each(['/operators', '/operators/sign-in'])('is not cached or framed, and loads nothing: %s', async (path) => {
    const { ask, cookie } = await signedIn()
    const answer = await ask(path, { headers: { cookie } })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const text = await answer.text()
    expect(text).not.toMatch(/https?:\/\/|\sstyle=|\son\w+=/)
  })

  it('shows names, alerts and the provider’s messages as plain text', async () => {
    const payment = {
      ...{
        kind: 'withdrawal' as const,
        id: HOSTILE,
        member: HOSTILE,
        amount: sats(5),
        to: HOSTILE,
        since: new Date(START),
      },
      ...{ evidence: HOSTILE, remoteId: undefined, proposal: undefined, decided: undefined },
    }
    const alert = { id: 1, kind: 'cover', text: HOSTILE, at: new Date(START), told: false }
    const pauses = [{ source: 'operator', reason: HOSTILE }] as const
    const service = { ...(QUIET.service as NonNullable<OperatorsFigures['service']>) }
    const { page } = await signedIn(
      {
        ...QUIET,
        bot: { ...QUIET.bot, pauses, unknown: [payment], alerts: [alert] },
        service: { ...service, node: { ...service.node, ready: false, reason: HOSTILE } },
      },
      { id: '1', name: HOSTILE },
    )
    const text = await page()
    expect(text).not.toContain(HOSTILE)
    expect(text.split('&#60;script&#62;alert(1)').length).toBeGreaterThan(8)
  })

  it('shows that everything works, and draws debt, holdings and audits', async () => {
    const text = await (await signedIn()).page()
    expect(text).toContain('Everything works')
    expect(text).toMatch(/class="fill-accent" x="0.00" width="80.00"[\s\S]*class="fill-good" x="0.00" width="100.00"/)
    expect(text).toMatch(/Can send[\s\S]*70,000 sats[\s\S]*Can receive[\s\S]*30,000 sats/)
    expect(text).toMatch(/class="fill-accent" x="0.00" width="70.00"[\s\S]*class="fill-blue" x="70.00" width="30.00"/)
    expect(text).toContain('The last audit found nothing wrong.')
  })

  it('draws each day’s moves, debts and holdings, with a gap for unknown days', async () => {
    const text = await (await signedIn()).page()
    expect(text).toContain('In and out of the wallet, 30 days: In 4,000 sats, Out 1,500 sats')
    expect(text).toContain('<title>Jan 1: In 4,000, Out 1,000 sats</title>')
    // Upwards from the middle of 160, over the whole height above it; downwards a quarter of the height below.
    expect(text).toContain('<rect class="fill-blue" x="2.0" y="0.0" width="296.0" height="80.0"/>')
    expect(text).toContain('<rect class="fill-accent" x="2.0" y="80.0" width="296.0" height="20.0"/>')
    expect(text).toContain('Given by members, 30 days: Given 300 sats')
    expect(text).toContain('<path class="line-good" d="M0.0 0.0M600.0 0.0"/>')
    expect(text).toContain('<path class="line-accent" d="M0.0 80.0L300.0 40.0L600.0 0.0"/>')
  })

  it('has empty charts before the first move', async () => {
    const day = { at: new Date(START), received: ZERO, sent: ZERO, given: ZERO }
    const text = await (await signedIn({ ...QUIET, movement: { days: [day], points: [] } })).page()
    expect(text).toContain('begins with the second audit')
    expect(text).not.toMatch(/NaN|Infinity/)
  })

  it('lists the operators’ tasks, with the next step for each', async () => {
    const payment = {
      ...{
        kind: 'payout' as const,
        id: 'p1',
        member: '77',
        amount: sats(5),
        to: 'bob',
        since: new Date(START - 7_200_000),
      },
      ...{ evidence: 'a timeout', remoteId: undefined, proposal: undefined, decided: undefined },
    }
    const proven = { ...QUIET.bot.status.proven, holds: false } as OperatorsFigures['bot']['status']['proven']
    const pauses = [{ source: 'cover', reason: '5 sats are missing' }] as const
    const status = { ...QUIET.bot.status, proven, paused: pauses[0] }
    const service = QUIET.service as NonNullable<OperatorsFigures['service']>
    const text = await (
      await signedIn({
        ...QUIET,
        bot: { ...QUIET.bot, status, pauses, unknown: [payment] },
        service: { ...service, callbacks: { waiting: 3, deadLettered: 2, oldestMs: 60_000 } },
      })
    ).page()
    expect(text).toContain('4 things need you')
    for (const next of ['/admin audit', '/admin unknown', 'callbacks redeliver', 'an audit finds everything right'])
      expect(text).toContain(next)
  })

  it('shows every pause after a restore, and how each of them ends', async () => {
    const pauses = [
      { source: 'restore', reason: 'not proven yet' },
      { source: 'operator', reason: 'what was paid since is being looked for' },
    ] as const
    const text = await (await signedIn({ ...QUIET, bot: { ...QUIET.bot, pauses } })).page()
    expect(text).toContain('2 things need you')
    expect(text).toMatch(
      /not proven yet[\s\S]*when an audit finds everything right[\s\S]*looked for[\s\S]*admin resume/,
    )
  })

  it('shows no figures of a service that is another program', async () => {
    const text = await (await signedIn({ ...QUIET, service: undefined })).page()
    expect(text).not.toMatch(/Lightning node|Callbacks/)
    expect(text).toContain('127.0.0.1:8787')
  })
})
