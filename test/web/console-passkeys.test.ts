import { beforeEach, describe, expect, it } from 'vitest'
import { markRestored } from '../../src/tipping/audit/restored.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { byLink, READ_PASSWORD, type Served, serveConsole, Visitor } from './console-world.ts'
import { add, askedIn, askToAdd, PAGE, signIn } from './passkey-steps.ts'
import { type Oddity, SoftAuthenticator } from './soft-authenticator.ts'

const MINUTE_MS = 60_000
const PUBLIC = 'https://tips.example'

let world: TippingWorld
let log: string[]
beforeEach(async () => {
  world = await aliceHasSome({ replays: false })
  log = []
})
const told = async () => (await world.tipping.administration.untoldAlerts(20)).map(({ text }) => text)
const keys = () => world.tipping.administration.passkeys
const isPaused = async () => (await world.tipping.administration.status()).paused !== undefined

/** Opens the console at its public address, in a browser in which nobody is signed in. */
async function open(served: Served = {}): Promise<Visitor> {
  const visitor = await serveConsole(world, { log, publicUrl: PUBLIC, ...served })
  return visitor.other('', PUBLIC)
}

/** Signs somebody in with the password, and adds a passkey. */
async function withPasskey(served: Served = {}) {
  const visitor = await open(served)
  await visitor.signIn()
  const device = new SoftAuthenticator(visitor.origin ?? '')
  expect(await add(visitor, device)).toMatchObject({ status: 303, to: `${PAGE}?said=passkey-added` })
  return { visitor, device }
}

/** Signs olivia in through the link from `/admin page`, and adds a passkey. */
async function olivias(served: Served = {}) {
  const visitor = await byLink(await open(served), world)
  const device = new SoftAuthenticator(PUBLIC)
  expect((await add(visitor, device)).status).toBe(303)
  return { visitor, device }
}

describe('a passkey', () => {
  it('signs its operator in under the same name in another browser', async () => {
    const { visitor, device } = await olivias()
    const other = visitor.other()
    expect((await other.look()).text).toContain('Sign in with a passkey')
    expect(await signIn(other, device)).toMatchObject({ status: 303, to: '/console' })
    expect((await other.look()).text).toContain('Signed in as Olivia')
    expect((await other.does('pause', { reason: 'a look' })).status).toBe(303)
    expect(log.join('')).toContain('"operator":"1001","how":"passkey"')
    expect(await told()).toEqual([
      '1001 added the passkey “my phone” to the console',
      '1001 paused outgoing payments: a look',
    ])
  })

  it('is requested for its site, always with user verification and a new challenge', async () => {
    const { visitor } = await withPasskey()
    const { text } = await askToAdd(visitor)
    const [known] = await keys().list()
    expect(askedIn(text).options).toMatchObject({
      rp: { id: 'tips.example' },
      excludeCredentials: [{ id: known?.id }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    const asked = async () => askedIn((await visitor.other().post('/console/passkey', {})).text).options
    const [one, two] = [await asked(), await asked()]
    expect(one).toMatchObject({ rpId: 'tips.example', userVerification: 'required', allowCredentials: [] })
    expect(one.challenge).not.toBe(two.challenge)
    expect(one.challenge).toMatch(/^[\w-]{43}$/)
  })

  it('is listed with its times and its owner, and cannot be added twice', async () => {
    const { visitor, device } = await withPasskey()
    expect((await visitor.look(PAGE)).text).toMatch(
      /my phone[\s\S]*yours[\s\S]*https:\/\/tips\.example[\s\S]*not used yet/,
    )
    await signIn(visitor.other(), device)
    expect((await visitor.look(PAGE)).text).toMatch(/last used \w{3} \d+, \d{4}, \d\d:\d\d UTC/)
    expect(await add(visitor, device)).toMatchObject({
      status: 422,
      text: expect.stringContaining('has already been added'),
    })
    expect(await keys().list()).toHaveLength(1)
  })

  it('can replace the password if the sign-in is older than 5 minutes', async () => {
    const { visitor, device } = await withPasskey()
    await visitor.does('pause', { reason: 'a look' })
    await world.clock.advance(5 * MINUTE_MS)
    const asked = await visitor.does('resume')
    expect(asked).toMatchObject({ status: 403, text: expect.stringContaining('Use a passkey and do it') })
    const { form, options } = askedIn(asked.text)
    expect(options).toMatchObject({ allowCredentials: [{ id: device.id }] })
    const before = visitor.cookie
    const wrong = { form, answer: device.sign(options, { forged: true }) }
    expect(await visitor.post('/console/resume', wrong)).toMatchObject({ status: 403 })
    expect(await isPaused()).toBe(true)
    const again = askedIn((await visitor.does('resume')).text)
    const right = { form: again.form, answer: device.sign(again.options) }
    expect(await visitor.post('/console/resume', right)).toMatchObject({ to: '/console?said=resumed' })
    expect(await isPaused()).toBe(false)
    expect(visitor.cookie).not.toBe(before)
  })

  it('does not renew the sign-in of another operator', async () => {
    const { visitor } = await withPasskey()
    const theirs = await byLink(visitor, world)
    const device = new SoftAuthenticator(PUBLIC)
    await add(theirs, device)
    await visitor.does('pause', { reason: 'a look' })
    await world.clock.advance(5 * MINUTE_MS)
    const { form, options } = askedIn((await visitor.does('resume')).text)
    const answer = await visitor.post('/console/resume', { form, answer: device.sign(options) })
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('belongs to another operator') })
    expect(await isPaused()).toBe(true)
  })

  it('counts as the same operator as the sign-in with which it was added', async () => {
    world.provider.wallet += 20_000n
    const { visitor, device } = await withPasskey()
    const fields = { what: 'top-up', amount: '20', reason: 'seen' }
    expect(await visitor.does('book', fields)).toMatchObject({ to: '/console?said=proposed' })
    const other = visitor.other()
    await signIn(other, device)
    expect((await other.does('book', fields)).text).toContain('Another operator has to confirm')
    world.excused = /20 sats more/
  })
})

describe('a signature by a passkey', () => {
  it.each<[string, Oddity, string]>([
    ['of another key', { forged: true }, 'was not accepted'],
    ['without user verification', { verified: false }, 'was not accepted'],
    ['for another site', { origin: 'https://tips.example.evil' }, 'was not accepted'],
    ['for another host', { rpId: 'evil.example' }, 'was not accepted'],
    ['of an invented challenge', { challenge: 'A'.repeat(43) }, 'was not accepted'],
    ['that makes a passkey', { type: 'webauthn.create' }, 'was not accepted'],
  ])('signs nobody in if it is a signature %s', async (_, odd, words) => {
    const { visitor, device } = await withPasskey()
    const other = visitor.other()
    expect(await signIn(other, device, odd)).toMatchObject({ status: 403, text: expect.stringContaining(words) })
    expect((await other.look()).status).toBe(401)
  })

  it('counts only once, only in the browser that requested it, and for 5 minutes', async () => {
    const { visitor, device } = await withPasskey()
    const [asked, stranger] = [visitor.other(), visitor.other()]
    const { options } = askedIn((await asked.post('/console/passkey', {})).text)
    await stranger.post('/console/passkey', {})
    const send = (from: Visitor) => from.post('/console/passkey-sign-in', { answer: device.sign(options) })
    expect((await send(stranger)).status).toBe(403)
    expect((await send(visitor.other())).status).toBe(403)
    const { cookie } = asked
    expect((await send(asked)).status).toBe(303)
    expect((await send(visitor.other(cookie))).status).toBe(403)
    const late = visitor.other()
    const again = askedIn((await late.post('/console/passkey', {})).text)
    await world.clock.advance(5 * MINUTE_MS)
    const answer = { answer: device.sign(again.options) }
    expect((await late.post('/console/passkey-sign-in', answer)).text).toContain('longer than five minutes')
  })

  it.each(['', '{', '[]', 'null', '{"id":7,"response":{}}', '{"id":"x"}', '{"id":"x","response":null}'])(
    'is refused with an explanation if the browser sends %j',
    async (answer) => {
      const { visitor } = await withPasskey()
      const other = visitor.other()
      await other.post('/console/passkey', {})
      expect(await other.post('/console/passkey-sign-in', { answer })).toMatchObject({
        status: 403,
        text: expect.stringContaining('The browser sent no passkey'),
      })
    },
  )

  it('is refused with an alert if its counter does not advance', async () => {
    const { visitor, device } = await withPasskey()
    for (let i = 0; i < 3; i += 1) expect((await signIn(visitor.other(), device)).status).toBe(303)
    device.counter = 1
    await signIn(visitor.other(), device, { forged: true })
    expect(await told()).toHaveLength(1)
    device.counter = 2
    const refused = await signIn(visitor.other(), device)
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('somebody has a copy') })
    expect((await told())[1]).toMatch(
      /passkey “my phone” of console:password was refused: its counter went from 3 to 3/,
    )
  })

  it('is accepted each time from an authenticator without a counter', async () => {
    const { visitor, device } = await withPasskey()
    device.counts = false
    for (let i = 0; i < 2; i += 1) expect((await signIn(visitor.other(), device)).status).toBe(303)
  })
})

it('strangers together can try 50 passkeys, and then 5 per second', async () => {
  const visitor = await open({ trustProxy: true })
  // One address alone meets its own limit before.
  const asks = (i: number) => visitor.other().post('/console/passkey', {}, { 'x-forwarded-for': `192.0.2.${i % 5}` })
  for (let i = 0; i < 50; i += 1) expect((await asks(i)).status).toBe(200)
  expect(await asks(50)).toMatchObject({ status: 429, text: expect.stringContaining('Wait a few seconds') })
  await world.clock.advance(1_000)
  for (let i = 0; i < 5; i += 1) expect((await asks(i)).status).toBe(200)
  expect((await asks(5)).status).toBe(429)
})

describe('the address where passkeys work', () => {
  it('is public or localhost, and each passkey works only where it was made', async () => {
    const { visitor, device } = await withPasskey()
    const address = visitor.address.replace('127.0.0.1', 'localhost')
    const local = new Visitor(address, '', address)
    expect((await signIn(local, device)).text).toContain('was made at <code>https://tips.example</code>')
    await local.signIn()
    const other = new SoftAuthenticator(address)
    expect((await add(local, other)).status).toBe(303)
    expect(await signIn(new Visitor(address, '', address), other)).toMatchObject({ status: 303, to: '/console' })
    const asked = askedIn((await local.post('/console/passkey', {})).text)
    expect(asked.options).toMatchObject({ rpId: 'localhost' })
  })

  it.each<[string, string | undefined, string, RegExp]>([
    [
      'in the home network',
      PUBLIC,
      'http://umbrel.local',
      /at <code>https:\/\/tips\.example<\/code> and at <code>http:\/\/localhost/,
    ],
    ['by its IP address', undefined, 'http://127.0.0.1:8788', /http:\/\/localhost<\/code>.*CALLBACK_PUBLIC_URL/],
    ['at an https address that nobody named', undefined, 'https://tips.example', /public address that Satchel knows/],
    ['at the public address without https', 'http://tips.example', 'http://tips.example', /over https at a public/],
    ['at an https address that is an IP', 'https://192.0.2.1', 'https://192.0.2.1', /over https at a public/],
  ])('is stated when passkeys are refused %s', async (_, publicUrl, origin, words) => {
    await withPasskey()
    const elsewhere = await serveConsole(world, publicUrl === undefined ? {} : { publicUrl })
    const refused = await elsewhere.post('/console/passkey', {}, { origin, 'sec-fetch-site': 'same-origin' })
    expect(refused).toMatchObject({ status: 422, text: expect.stringMatching(words) })
    expect(refused.text).not.toContain('data-passkey')
  })
})

describe('the use of a passkey', () => {
  it('is refused to a former operator, and while Discord does not answer', async () => {
    let answer: () => Promise<boolean> = async () => true
    const { visitor, device } = await olivias({ isOperator: () => answer() })
    answer = async () => false
    expect((await signIn(visitor.other(), device)).text).toContain('no longer an administrator')
    answer = () => Promise.reject(new Error('Discord is away'))
    expect((await signIn(visitor.other(), device)).text).toContain('Discord does not answer')
    answer = async () => true
    expect((await signIn(visitor.other(), device)).status).toBe(303)
  })

  it.each([
    ['another password', 'a new horse battery'],
    ['no password', ''],
  ])('is refused to a person who had the password, once there is %s', async (_, password) => {
    const { device } = await withPasskey()
    const later = await open({ variables: { CONSOLE_PASSWORD: password } })
    const refused = await signIn(later, device)
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('a password that is no longer in use') })
    expect((await later.look()).status).toBe(401)
  })

  it('is refused after a restore, until its operator confirms the passkey', async () => {
    const { visitor, device } = await olivias()
    await markRestored(world.database, { madeAt: '2030-01-31', now: new Date(world.clock.now()), paused: false })
    expect((await signIn(visitor.other(), device)).text).toContain('comes from a backup')
    const oscar = visitor.other()
    await oscar.signIn()
    expect((await oscar.look(PAGE)).text).toContain('Only its operator can confirm it')
    const [theirs, olivia] = [await oscar.token('passkey-new', PAGE), await byLink(visitor, world)]
    expect((await oscar.post('/console/passkey-confirm', { form: theirs, passkey: device.id })).status).toBe(422)
    const form = await olivia.token('passkey-confirm', PAGE)
    expect(await olivia.post('/console/passkey-confirm', { form, passkey: device.id })).toMatchObject({
      to: `${PAGE}?said=passkey-confirmed`,
    })
    expect((await signIn(visitor.other(), device)).status).toBe(303)
  })

  it('is impossible for a reader, who can only see the list', async () => {
    const { visitor } = await withPasskey()
    const reader = visitor.other()
    await reader.signIn(READ_PASSWORD)
    const { text } = await reader.look(PAGE)
    expect(text).toContain('my phone')
    expect(text).not.toContain('action="/console/')
    for (const action of ['passkey-new', 'passkey-add', 'passkey-remove', 'passkey-confirm'])
      expect((await reader.post(`/console/${action}`, { form: 'x' })).status).toBe(403)
  })
})

describe('a change of passkeys', () => {
  it('keeps a label on one line, and shortens it only between characters', async () => {
    const visitor = await open()
    await visitor.signIn()
    const { form, options } = askedIn((await askToAdd(visitor)).text)
    const made = new SoftAuthenticator(PUBLIC).make(options)
    const label = `a\u0000\r\nb${'x'.repeat(36)}😀😀`
    expect((await visitor.post('/console/passkey-add', { form, label, made })).status).toBe(303)
    expect((await keys().list())[0]?.label).toBe(`a b${'x'.repeat(36)}😀`)
    expect((await visitor.does('pause', { reason: 'a\u0000\nlook' })).status).toBe(303)
    expect((await told()).at(-1)).toBe('console:password paused outgoing payments: a look')
  })

  it('shows the label, but not the browser’s data, if the sign-in has become too old', async () => {
    const visitor = await open()
    await visitor.signIn()
    const { form, options } = askedIn((await askToAdd(visitor)).text)
    await world.clock.advance(5 * MINUTE_MS)
    const made = new SoftAuthenticator(PUBLIC).make(options)
    const { text } = await visitor.post('/console/passkey-add', { form, label: 'my phone', made })
    expect(text).toMatch(/What you filled in:[\s\S]*<li>my phone<\/li><\/ul>/)
  })

  it('needs a sign-in of the last 5 minutes, and the form of that session', async () => {
    const { visitor, device } = await withPasskey()
    expect((await visitor.post('/console/passkey-new', { form: 'x', label: 'mine' })).status).toBe(403)
    await world.clock.advance(5 * MINUTE_MS)
    expect((await askToAdd(visitor)).text).toContain('a sign-in of the last five minutes')
    const form = await visitor.token('passkey-remove', PAGE)
    expect((await visitor.post('/console/passkey-remove', { form, passkey: device.id })).status).toBe(403)
    expect(await keys().list()).toHaveLength(1)
  })

  it.each<[string, Oddity]>([
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['another site', { origin: 'https://evil.example' }],
    ['no user verification', { verified: false }],
  ])('refuses a passkey that was made with %s', async (_, odd) => {
    const visitor = await open()
    await visitor.signIn()
    const answer = await add(visitor, new SoftAuthenticator(PUBLIC), odd)
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('was not accepted') })
    expect(await keys().list()).toEqual([])
  })

  it('ends all sessions of an operator who removes a passkey, except the current one', async () => {
    const { visitor, device } = await withPasskey()
    const other = visitor.other()
    await signIn(other, device)
    const form = await visitor.token('passkey-remove', PAGE)
    expect(await visitor.post('/console/passkey-remove', { form, passkey: device.id })).toMatchObject({
      to: `${PAGE}?said=passkey-removed`,
    })
    expect((await visitor.look()).status).toBe(200)
    expect((await other.look()).status).toBe(401)
  })

  it('refuses more than 100 passkeys in all, and says that one must be removed', async () => {
    const visitor = await open()
    await visitor.signIn()
    const kept = { operator: { id: '1001', name: 'Olivia' }, label: 'a phone', publicKey: 'x', origin: PUBLIC }
    const one = (id: string) => keys().add({ ...kept, id, counter: 0, seal: undefined })
    for (let i = 1; i < 100; i += 1) expect(await one(`${i}`)).toBe(true)
    expect((await add(visitor, new SoftAuthenticator(PUBLIC))).status).toBe(303)
    expect(await add(visitor, new SoftAuthenticator(PUBLIC))).toMatchObject({
      status: 422,
      text: expect.stringContaining('The console keeps at most a hundred passkeys. Remove one first.'),
    })
    expect(await keys().list()).toHaveLength(100)
  })

  it('can remove another operator’s passkey; this ends their sessions and is announced', async () => {
    const { visitor, device } = await olivias()
    const oscar = visitor.other()
    await oscar.signIn()
    const form = await oscar.token('passkey-remove', PAGE)
    expect(await oscar.post('/console/passkey-remove', { form, passkey: device.id })).toMatchObject({
      to: `${PAGE}?said=passkey-removed`,
    })
    expect((await signIn(visitor.other(), device)).text).toContain('does not know this passkey')
    expect((await visitor.look()).status).toBe(401)
    expect((await oscar.look()).status).toBe(200)
    expect((await told()).at(-1)).toBe('console:password removed the passkey “my phone” of 1001 from the console')
    const again = await oscar.token('passkey-new', PAGE)
    expect((await oscar.post('/console/passkey-remove', { form: again, passkey: device.id })).text).toContain(
      'This passkey no longer exists',
    )
  })
})

it('the book contains no secret with which anybody could sign in', async () => {
  const { visitor, device } = await withPasskey()
  const { options } = askedIn((await visitor.other().post('/console/passkey', {})).text)
  const { read } = world.database
  const book = JSON.stringify(
    [await read.operatorPasskey.findMany(), await read.operatorPass.findMany()],
    (_, value) => (typeof value === 'bigint' ? `${value}` : value),
  )
  expect(book).toContain(device.id)
  for (const secret of [options.challenge, 'correct horse battery', visitor.cookie.split('=')[1] ?? '?'])
    expect(book).not.toContain(secret)
})
