import { beforeEach, describe, expect, it } from 'vitest'
import { utcMinute } from '../../src/lib/utc-minute.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import {
  byLink as openLink,
  PASSWORD,
  READ_PASSWORD,
  type Served,
  serveConsole,
  type Visitor,
} from './console-world.ts'

const MINUTE_MS = 60_000

let world: TippingWorld
let log: string[]

async function openWorld(operators: 'one' | 'two') {
  world = await aliceHasSome({ replays: false, settings: { operators } })
  log = []
}
beforeEach(() => openWorld('two'))
const operators = () => world.tipping.administration

const serve = (served: Served = {}) => serveConsole(world, { log, ...served })

async function signedIn(served: Served = {}) {
  const visitor = await serve(served)
  await visitor.signIn()
  return visitor
}

const byLink = (visitor: Visitor) => openLink(visitor, world)
const isPaused = async () => (await operators().status()).paused !== undefined
const told = async () => (await operators().untoldAlerts(20)).map(({ text }) => text)

/** Makes a payout of 100 sats that has arrived, but whose answer was lost. */
async function unknownPayout(): Promise<string> {
  await world.linked('bob')
  world.provider.misbehave('payToGamertag', 'act-then-error')
  await world.tip('alice', 'bob', '100')
  const [payment] = await operators().unknown(1)
  return payment?.id ?? ''
}

describe('a sign-in', () => {
  it('accepts the password, and shows the console only in the browser that sent it', async () => {
    const visitor = await serve()
    expect(await visitor.look()).toMatchObject({ status: 401, text: expect.stringContaining('type="password"') })
    expect(await visitor.signIn()).toMatchObject({ status: 303, to: '/console' })
    expect(visitor.cookie).toMatch(/^operators=[\w-]{43}$/)
    expect((await visitor.look()).text).toContain('Pause outgoing payments')
    expect((await visitor.other().look()).status).toBe(401)
  })

  it.each(['/console/nope', '/console/pools/1', '/console/pause'])(
    'leads from %s, which is not a page, to an error with a link to the console',
    async (path) => {
      const visitor = await serve()
      expect(await visitor.look(path)).toMatchObject({ status: 401, text: expect.stringContaining('type="password"') })
      await visitor.signIn()
      const { status, text } = await visitor.look(path)
      expect(status).toBe(404)
      expect(text).toMatch(
        /There is no such page[\s\S]*Go on from the list[\s\S]*<a href="\/console">Go to the console/,
      )
    },
  )

  it('accepts the link from /admin page if no password is set', async () => {
    const visitor = await serve({ variables: { CONSOLE_PASSWORD: '', CONSOLE_READ_PASSWORD: '' } })
    const { text } = await visitor.look()
    expect(text).toMatch(/\/admin page[\s\S]*CONSOLE_PASSWORD/)
    expect(text).not.toContain('type="password"')
    expect((await visitor.signIn('')).status).toBe(403)
    expect((await (await byLink(visitor)).look()).text).toMatch(/Olivia[\s\S]*Pause outgoing payments/)
  })

  it('refuses passwords for 15 minutes after 5 wrong ones, and says how long to wait', async () => {
    const visitor = await serve()
    for (let i = 0; i < 4; i += 1) expect((await visitor.signIn('wrong')).text).toContain('This is not the password')
    expect((await visitor.signIn('wrong')).text).toContain('wrong five times. Wait 15 minutes.')
    await world.clock.advance(14 * MINUTE_MS)
    expect(await visitor.signIn()).toMatchObject({ status: 403, text: expect.stringContaining('Wait 1 minute.') })
    expect(visitor.cookie).toBe('')
    expect((await (await byLink(visitor)).look()).status).toBe(200)
    await world.clock.advance(MINUTE_MS)
    expect((await visitor.signIn()).status).toBe(303)
  })

  it.each(['sign-in', 'resume'])(
    'gives a reader no more guesses at the operators’ password than others: %s',
    async (action) => {
      const visitor = await signedIn()
      await world.clock.advance(5 * MINUTE_MS)
      await visitor.does('pause', { reason: 'a look' })
      const guess = async (password: string) =>
        action === 'sign-in' ? visitor.other().signIn(password) : await visitor.does(action, { password })
      for (let i = 0; i < 4; i += 1) await guess('wrong')
      await guess(READ_PASSWORD)
      await guess('wrong')
      expect((await guess(PASSWORD)).text).toContain('wrong five times')
    },
  )

  it('is also blocked by five wrong passwords that were entered for an action', async () => {
    const visitor = await signedIn()
    await world.clock.advance(5 * MINUTE_MS)
    await visitor.does('pause', { reason: 'a look' })
    for (let i = 0; i < 5; i += 1) await visitor.does('resume', { password: 'wrong' })
    expect((await visitor.does('resume', { password: PASSWORD })).text).toContain('wrong five times')
    expect(await isPaused()).toBe(true)
  })

  it('ends after an hour, and a form that is sent later is refused', async () => {
    const visitor = await signedIn()
    const form = await visitor.token('pause')
    await world.clock.advance(60 * MINUTE_MS)
    const answer = await visitor.post('/console/pause', { form, reason: 'a look' })
    expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('Your session is over') })
    expect(await isPaused()).toBe(false)
  })

  it('writes the operator’s name to the log, but no password, cookie or token', async () => {
    const visitor = await signedIn()
    await visitor.signIn('wrong password here')
    const form = await visitor.token('pause')
    await visitor.post('/console/pause', { form, reason: 'a look' })
    const text = log.join('')
    for (const secret of [PASSWORD, 'wrong password here', visitor.cookie.split('=')[1] ?? '?', form])
      expect(text).not.toContain(secret)
    expect(text).toMatch(/"operator":"console:password","action":"pause","how":"console"/)
  })
})

describe('a form of the console', () => {
  it('pauses and resumes payments under the operator’s name', async () => {
    const visitor = await byLink(await serve())
    expect(await visitor.does('pause', { reason: 'a look at the <books>' })).toMatchObject({
      to: '/console?said=paused',
    })
    expect(await isPaused()).toBe(true)
    expect((await visitor.look('/console?said=paused')).text).toMatch(
      /✓ Outgoing payments are paused\.[\s\S]*“a look at the &#60;books&#62;”[\s\S]*Resume/,
    )
    expect(await visitor.does('resume')).toMatchObject({ to: '/console?said=resumed' })
    expect(await isPaused()).toBe(false)
    expect(await told()).toEqual([
      '1001 paused outgoing payments: a look at the <books>',
      "1001 ended the operators' pause",
    ])
  })

  it.each([
    ['is missing', async () => ({})],
    ['is invented', async () => ({ form: `${'A'.repeat(43)}.${'A'.repeat(43)}` })],
    ['is of another session', async (visitor: Visitor) => ({ form: await (await byLink(visitor)).token('pause') })],
    ['has another number', async (v: Visitor) => ({ form: `x${await v.token('pause')}` })],
  ])('is refused if its token %s', async (_, fieldsOf) => {
    const visitor = await signedIn()
    const answer = await visitor.post('/console/pause', { reason: 'a look', ...(await fieldsOf(visitor)) })
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('does not belong to your session') })
    expect(await isPaused()).toBe(false)
  })

  it.each([
    ['its Origin', { origin: 'https://evil.example' }],
    ['Fetch Metadata', { 'sec-fetch-site': 'cross-site' }],
    ['Fetch Metadata of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused if it comes from another site, recognized by %s', async (_, headers) => {
    const visitor = await signedIn()
    const form = await visitor.token('pause')
    const fields = { form, reason: 'a look' }
    expect((await visitor.post('/console/pause', fields, headers as Record<string, string>)).status).toBe(403)
    expect(
      (await visitor.post('/console/sign-in', { password: PASSWORD }, headers as Record<string, string>)).status,
    ).toBe(403)
    expect(await isPaused()).toBe(false)
  })

  it('takes effect only once if it is sent twice at the same time', async () => {
    world.provider.wallet += 20_000n
    const visitor = await signedIn()
    const form = await visitor.token('book')
    const send = () => visitor.post('/console/book', { form, what: 'top-up', amount: '20', reason: 'seen' })
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    expect((await send()).text).toContain('This form has already been sent')
    expect(await operators().proposals(9)).toHaveLength(1)
    world.excused = /20 sats more/
  })

  it.each(['pause', 'resume', 'audit', 'decide', 'book', 'cancel', 'redeliver'])(
    'is refused if a reader sends it with the action “%s”',
    async (action) => {
      const visitor = await serve()
      await visitor.signIn(READ_PASSWORD)
      const { text } = await visitor.look()
      expect(text).toContain('You can look at everything here and change nothing.')
      expect(text).not.toContain('action="/console/')
      const form = await (await byLink(visitor)).token('pause')
      expect(await visitor.post(`/console/${action}`, { form, reason: 'x' })).toMatchObject({
        status: 403,
        text: expect.stringContaining('Ask an operator to do this'),
      })
      expect(await isPaused()).toBe(false)
    },
  )

  it('keeps its input and shows the reason if it is refused', async () => {
    const visitor = await signedIn()
    const fields = { what: 'top-up', amount: 'many', reason: 'seen in the history' }
    const { status, text } = await visitor.does('book', fields)
    expect(status).toBe(422)
    expect(text).toMatch(/role="alert">Nothing was done[\s\S]*value="many"[\s\S]*value="seen in the history"/)
    expect(text).toContain('value="top-up" required checked')
  })

  it.each([
    ['pause', { reason: ' ' }, 'Fill in every part'],
    ['decide', { payment: 'x', outcome: 'perhaps', reason: 'seen' }, 'Fill in every part'],
    ['decide', { payment: 'x', outcome: 'paid', reason: 'seen' }, 'no such payment'],
    [
      'book',
      { what: 'top-up', amount: '1', reason: 'seen', member: '123456789012345678' },
      'only for sats from suspense',
    ],
    ['book', { what: 'suspense', amount: '1', reason: 'seen', member: 'bob' }, 'only for sats from suspense'],
    ['book', { what: 'top-up', amount: '1000000', reason: 'seen' }, 'First pay the sats into the wallet'],
    ['book', { what: 'take-out', amount: '1', reason: 'seen' }, 'First take the sats out of the wallet'],
    ['book', { what: 'suspense', amount: '1', reason: 'seen' }, 'Nothing is in suspense'],
    ['cancel', { proposal: 'x' }, 'There is no such proposal'],
  ] as const)('is refused with an explanation if it sends %s with %j', async (action, fields, words) => {
    const visitor = await signedIn()
    const form = await visitor.token('pause')
    const answer = await visitor.post(`/console/${action}`, { form, ...fields })
    expect(answer.status).toBe(422)
    expect(answer.text.toLowerCase()).toContain(words.toLowerCase())
  })
})

describe('an action on money or books', () => {
  it.each(['resume', 'decide', 'book'])('needs the password again 5 minutes after the sign-in: %s', async (action) => {
    await operators().pause({ operator: '7', reason: 'a look' })
    const visitor = await signedIn()
    await world.clock.advance(5 * MINUTE_MS - 1)
    const form = await visitor.token('resume')
    await world.clock.advance(1)
    const before = visitor.cookie
    const asked = await visitor.post(`/console/${action}`, { form, reason: 'seen on the node' })
    expect(asked).toMatchObject({ status: 403, text: expect.stringContaining('a sign-in of the last five minutes') })
    expect(asked.text).toMatch(/value="seen on the node"/)
    expect(await isPaused()).toBe(true)
    expect((await visitor.post(`/console/${action}`, { form, password: READ_PASSWORD })).status).toBe(403)
    expect((await visitor.post(`/console/${action}`, { form, password: PASSWORD })).status).not.toBe(403)
    expect(visitor.cookie).not.toBe(before)
    expect((await visitor.other(before).look()).status).toBe(401)
  })

  it('requires an operator who came by a link to use a new link and a new form', async () => {
    const visitor = await byLink(await serve())
    await visitor.does('pause', { reason: 'a look' })
    await world.clock.advance(5 * MINUTE_MS)
    const asked = await visitor.does('resume', { password: PASSWORD })
    expect(asked.status).toBe(403)
    expect(asked.text).toMatch(/\/admin page[\s\S]*fill in the form again/)
    expect(await isPaused()).toBe(true)
    const form = await visitor.token('resume')
    expect((await visitor.post('/console/pause', { form, reason: 'again' })).status).toBe(303)
  })

  it('is refused if the sign-in is too old, even after the clock is set back', async () => {
    const visitor = await byLink(await serve())
    await visitor.does('pause', { reason: 'a look' })
    await world.clock.advance(10 * MINUTE_MS)
    world.clock.jump(-10 * MINUTE_MS)
    expect((await visitor.does('resume')).status).toBe(403)
  })
})

describe('two operators', () => {
  it('can decide a payment’s outcome, one on Discord and the other in the console', async () => {
    const payment = await unknownPayout()
    const visitor = await byLink(await serve())
    expect((await visitor.look()).text).toMatch(
      /1 payment has an unknown outcome[\s\S]*100 sats[\s\S]*The sats have left/,
    )
    const fields = { payment, outcome: 'paid', reason: 'seen on the node' }
    expect(await visitor.does('decide', fields)).toMatchObject({ to: '/console?said=proposed' })
    expect((await visitor.look()).text).toMatch(
      /1 proposal waits for an operator[\s\S]*You proposed it, so another operator/,
    )
    expect((await visitor.does('decide', fields)).text).toContain('Another operator has to confirm')
    await operators().decide({ payment, outcome: 'paid', reason: 'I saw it, too', operator: '1002' })
    expect((await visitor.look()).text).toContain('The outcome of every payment is known')
  })

  it('can agree to a proposal with one press, and book the proposed msats exactly', async () => {
    world.provider.wallet += 20_001n
    const operator = '100000000000000002'
    await operators().book({ what: 'top-up', amount: '20001 msats', operator, reason: 'seen in the history' })
    const visitor = await byLink(await serve({ memberName: async () => ({ shown: 'Otto', username: 'otto' }) }))
    const { text } = await visitor.look()
    expect(text).toMatch(
      /20.001 sats paid into the wallet[\s\S]*Proposed by \u2068Otto\u2069 \(@otto\)[\s\S]*seen in the history/,
    )
    const fields = Object.fromEntries(
      [...text.matchAll(/name="(what|amount|member)" value="([^"]*)"/g)]
        .slice(0, 3)
        .map(([, name, value]) => [name, value]),
    )
    expect(fields).toEqual({ what: 'top-up', amount: '20001 msats', member: '' })
    expect(await visitor.does('book', { ...fields, reason: 'I see it' } as Record<string, string>)).toMatchObject({
      to: '/console?said=done',
    })
    expect((await operators().audit()).operator).toBe(120_001n)
  })

  it('count as one if both signed in with the password', async () => {
    world.provider.wallet += 20_000n
    const one = await signedIn()
    const fields = { what: 'top-up', amount: '20', reason: 'seen' }
    expect(await one.does('book', fields)).toMatchObject({ to: '/console?said=proposed' })
    const other = one.other()
    await other.signIn()
    expect((await other.does('book', fields)).text).toContain('Another operator has to confirm')
    const [proposal] = await operators().proposals(1)
    const id = proposal?.about === 'booking' ? proposal.booking.id : ''
    expect(await other.does('cancel', { proposal: id })).toMatchObject({ to: '/console?said=cancelled' })
    expect(await operators().proposals(9)).toEqual([])
    world.excused = /20 sats more/
  })
})

it('the console shows the proposal to end the bot, and then the decision', async () => {
  const visitor = await signedIn()
  const day = new Date(world.clock.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  await world.tipping.windDown.start({ by: day, operator: '1001' })
  const proposed = (await visitor.look()).text
  expect(proposed).toContain(`An operator proposes that this bot ends on ${day}`)
  expect(proposed).toContain(`A second operator agrees with /admin wind-down and the date ${day}. /admin cancel`)
  expect(proposed).not.toContain('Nothing waits for you')
  await world.tipping.windDown.start({ by: day, operator: '1002' })
  const ending = (await visitor.look()).text
  expect(ending).toContain(`deposits are closed, and balances are paid out from ${day} on`)
  expect(ending).not.toContain('An operator proposes')
  await world.tipping.windDown.stop({ operator: '1001' })
  expect((await visitor.look()).text).toContain('Nothing waits for you')
})

it('the console tells a lone operator when a booking takes effect', async () => {
  await world.close()
  await openWorld('one')
  world.provider.wallet += 20_000n
  const visitor = await signedIn({ variables: { OPERATORS: 'one' } })
  expect((await visitor.look()).text).toContain('The booking takes effect 24 hours later')
  await visitor.does('book', { what: 'top-up', amount: '20', reason: 'seen' })
  expect((await visitor.look()).text).toMatch(/takes effect by itself on \w{3} \d+, \d{4}, \d\d:\d\d UTC/)
  expect((await visitor.does('book', { what: 'top-up', amount: '20', reason: 'seen' })).text).toMatch(
    /Your proposal takes effect \d{4}-\d\d-\d\d \d\d:\d\d UTC, unless it is cancelled/,
  )
  world.excused = /20 sats more/
})

it.each(['/console', '/console?said=paused', '/console?said=<script>', '/console?said=toString'])(
  'the answer to %s is not cached or framed, runs no script, and loads nothing',
  async (path) => {
    const visitor = await signedIn()
    const { headers, text } = await visitor.look(path)
    expect(Object.fromEntries(headers)).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "form-action 'self'"]) expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe|https?:|\*|script-src/)
    expect(text).not.toMatch(/<script|https?:\/\/|\sstyle=|\son\w+=/)
    expect(text.includes('role="status"')).toBe(path === '/console?said=paused')
  },
)

it('the console says when a lone operator’s decision to end the bot takes effect', async () => {
  await openWorld('one')
  const visitor = await signedIn()
  const day = new Date(world.clock.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const { dueAt } = await world.tipping.windDown.start({ by: day, operator: '1001' })
  const { text } = await visitor.look()
  expect(dueAt).toBeDefined()
  expect(text).toContain(`It takes effect on ${utcMinute(dueAt as Date)}. /admin cancel takes the proposal back.`)
  expect(text).not.toContain('A second operator agrees')
})
