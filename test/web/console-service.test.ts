import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { operateService } from '../../src/assembly/operate-service.ts'
import { hashSecret } from '../../src/payments-service/core/secrets.ts'
import { AdministrationWorld } from '../payments-service/administration/administration-world.ts'
import { TippingWorld } from '../tipping/world.ts'
import { type Fields, PASSWORD, READ_PASSWORD, serveConsole, type Visitor } from './console-world.ts'

const PAGE = '/console/service'
const MINUTE_MS = 60_000

let world: TippingWorld
let service: AdministrationWorld
let log: string[]
let own: string
/** The bot's project, as far as the bot is told. */
let known: string | undefined

beforeEach(async () => {
  ;[world, service] = await Promise.all([TippingWorld.open(), AdministrationWorld.open()])
  own = (await service.administration.createProject('Satchel')).projectId
  known = own
  log = []
})
afterEach(() => service.close())

const told = async () => (await world.tipping.administration.untoldAlerts(20)).map(({ text }) => text)

async function serve(): Promise<Visitor> {
  const { administration } = service
  const atService = () => operateService({ administration, ownProject: known, publicUrl: 'https://pay.example' })
  return await serveConsole(world, { log, atService })
}

async function signedIn(): Promise<Visitor> {
  const visitor = await serve()
  await visitor.signIn()
  return visitor
}

/** Sends a form of the page, with the token of any form on that page. */
async function send(visitor: Visitor, action: string, fields: Fields = {}) {
  const form = await visitor.token('project-create', PAGE)
  return await visitor.post(`/console/${action}`, [['form', form], ...new URLSearchParams(fields)])
}

const codesIn = (text: string) => [...text.matchAll(/<dd><code>([^<]+)<\/code>/g)].map(([, code]) => code ?? '')

async function newProject(visitor: Visitor, name = 'Webshop') {
  const { text } = await send(visitor, 'project-create', { name })
  const [projectId = '', apiKey = '', callbackSecret = ''] = codesIn(text)
  return { projectId, apiKey, callbackSecret, text }
}

/** Returns a key's rights. */
async function mayDo(apiKey: string): Promise<string | undefined> {
  const key = await service.database.read.apiKey.findFirst({ where: { hash: hashSecret(apiKey) } })
  return key?.scopes
}

describe('a project in the console', () => {
  it('is created with a key and a secret that are shown only once, and is announced', async () => {
    const visitor = await signedIn()
    const { projectId, apiKey, callbackSecret, text } = await newProject(visitor)
    expect(text).toMatch(/✓ The project is made[\s\S]*shown only now/)
    expect(await mayDo(apiKey)).toBe('read,receive,send')
    expect(callbackSecret).toMatch(/^whsec_/)
    const later = (await visitor.look(PAGE)).text
    expect(later).toMatch(new RegExp(`Webshop[\\s\\S]*${projectId}`))
    for (const secret of [apiKey, callbackSecret]) expect(later + log.join('')).not.toContain(secret)
    expect(await told()).toEqual(['console:password made the project “Webshop” of the payments service'])
    expect(log.join('')).toContain('"operator":"console:password","action":"project-create","how":"console"')
  })

  it('can get keys with chosen scopes and lifetimes, and the keys can be revoked', async () => {
    const visitor = await signedIn()
    const { projectId: project } = await newProject(visitor)
    const made = await send(visitor, 'key-create', { project, scope: 'read', days: '30' })
    const [apiKey = ''] = codesIn(made.text)
    expect(await mayDo(apiKey)).toBe('read')
    const keys = await service.administration.listKeys(project)
    expect(keys.at(-1)).toMatchObject({ scopes: ['read'], revokedAt: null })
    const lasts = Date.parse(keys.at(-1)?.expiresAt ?? '') - world.clock.now()
    expect(lasts).toBe(30 * 24 * 3_600_000)
    const key = keys.at(-1)?.keyId ?? ''
    expect(await send(visitor, 'key-revoke', { project, key })).toMatchObject({ to: `${PAGE}?said=key-revoked` })
    expect((await service.administration.listKeys(project)).at(-1)?.revokedAt).not.toBeNull()
    expect((await visitor.look(PAGE)).text).toContain('1 key is revoked.')
    expect((await told()).slice(1)).toEqual([
      `console:password made a key (read) for the project ${project}`,
      `console:password revoked the key ${key} of the project ${project}`,
    ])
  })

  it('cannot get a key that can send from its wallet, with or without other scopes', async () => {
    const visitor = await signedIn()
    const { projectId: project } = await newProject(visitor)
    for (const scope of [['send'], ['read', 'send']])
      expect(
        await send(visitor, 'key-create', [
          ['project', project],
          ...scope.map((one): [string, string] => ['scope', one]),
        ]),
      ).toMatchObject({
        status: 422,
        text: expect.stringContaining('made only at the machine'),
      })
    expect((await visitor.look(PAGE)).text).not.toMatch(/value="send"|secret-rotate/)
    expect(await service.administration.listKeys(project)).toHaveLength(1)
  })

  it('keeps every choice for a new key if the sign-in has become too old', async () => {
    const visitor = await signedIn()
    const { projectId: project } = await newProject(visitor)
    const chosen: Fields = [
      ['project', project],
      ['scope', 'read'],
      ['scope', 'receive'],
      ['days', '30'],
    ]
    await world.clock.advance(5 * MINUTE_MS)
    const { text } = await send(visitor, 'key-create', chosen)
    expect(text).toContain('a sign-in of the last five minutes')
    const fields = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    )
    const [apiKey = ''] = codesIn((await visitor.post('/console/key-create', [...fields, ['password', PASSWORD]])).text)
    expect(await mayDo(apiKey)).toBe('read,receive')
  })

  it('cannot be changed there if it is the bot’s own', async () => {
    const visitor = await signedIn()
    const [key] = await service.administration.listKeys(own)
    const fields = { project: own, scope: 'send', key: key?.keyId ?? '' }
    for (const action of ['key-create', 'key-revoke'])
      expect(await send(visitor, action, fields)).toMatchObject({
        status: 422,
        text: expect.stringContaining('only at the machine'),
      })
    const { projectId: project } = await newProject(visitor)
    // The form names another project than the key's.
    expect((await send(visitor, 'key-revoke', { ...fields, project })).text).toContain('no such key')
    expect(await service.administration.listKeys(own)).toMatchObject([{ revokedAt: null }])
    const { text } = await visitor.look(PAGE)
    expect(text).toMatch(/Satchel<\/b> · the bot's own|Satchel<\/b> · the bot&#39;s own/)
    expect(text).not.toContain(`name="project" value="${own}"`)
  })

  it('is not created with a name that is too long', async () => {
    const { status, text } = await send(await signedIn(), 'project-create', { name: 'x'.repeat(101) })
    expect([status, text]).toEqual([422, expect.stringContaining('at most 100 characters')])
    expect(await service.administration.listProjects()).toHaveLength(1)
  })

  it('can neither get nor lose a key before the bot knows its own project', async () => {
    const visitor = await signedIn()
    const { projectId: project } = await newProject(visitor)
    known = undefined
    for (const action of ['key-create', 'key-revoke'])
      expect((await send(visitor, action, { project, scope: 'read', key: 'x' })).text).toContain('does not know yet')
  })

  it.each([
    ['project-create', { name: ' ' }, 'Fill in every part'],
    ['key-create', { project: 'x', scope: 'all' }, 'Choose what the key may do'],
    ['key-create', { project: 'x', scope: 'read' }, 'There is no project x'],
    ['key-create', { project: 'x', scope: 'read', days: '0' }, 'Enter 1 to 3,650 days'],
    ['key-create', { project: 'x', scope: 'read', days: '1e3' }, 'Enter 1 to 3,650 days'],
    ['key-revoke', { project: 'x', key: 'y' }, 'There is no project x'],
    ['user-create', { gamertag: 'a b' }, '3 to 30 letters'],
    ['callback-redeliver', { callback: 'x' }, 'no dead-lettered callback x'],
  ] as const)('is not changed by %s with %j, and the page explains why', async (action, fields, words) => {
    const answer = await send(await signedIn(), action, fields)
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining(words) })
    expect(answer.text).not.toContain('project list')
    expect(await told()).toEqual([])
  })
})

it('a user is created with a sign-in link, and appears in the list', async () => {
  const visitor = await signedIn()
  const { text } = await send(visitor, 'user-create', { gamertag: 'zoe' })
  expect(codesIn(text)[0]).toMatch(/^https:\/\/pay\.example\/wallet\/sign-in\?token=[\w-]{43}$/)
  expect((await send(visitor, 'user-create', { gamertag: 'ZOE' })).status).toBe(422)
  for (let i = 0; i < 51; i += 1) await service.administration.createUser(`user${100 + i}`)
  const first = (await visitor.look(PAGE)).text
  const next = /href="(\/console\/service\?users=[^"]+)"/.exec(first)?.[1] ?? ''
  const second = (await visitor.look(next)).text
  expect(first).toContain('<b>user100</b>')
  expect(first).not.toContain('<b>zoe</b>')
  expect(second).toContain('<b>zoe</b>')
})

it('a read-only sign-in cannot change a project, and an old sign-in must be renewed', async () => {
  const visitor = await signedIn()
  const { projectId: project } = await newProject(visitor)
  const reader = visitor.other()
  await reader.signIn(READ_PASSWORD)
  const { text } = await reader.look(PAGE)
  expect(text).toContain('Webshop')
  expect(text).not.toContain('action="/console/')
  for (const action of ['project-create', 'key-create', 'key-revoke', 'user-create', 'callback-redeliver'])
    expect((await reader.post(`/console/${action}`, { form: 'x', project })).status).toBe(403)
  await world.clock.advance(5 * MINUTE_MS)
  for (const action of ['project-create', 'key-create', 'key-revoke', 'user-create'])
    expect((await send(visitor, action, { project, name: 'x' })).text).toContain('a sign-in of the last five minutes')
  expect(await service.administration.listProjects()).toHaveLength(2)
})

it('the service page lists callbacks, dead-lettered ones first, and redelivers one', async () => {
  const common = { projectId: own, receiver: 'https://shop.example', url: 'https://shop.example/hook', body: '{}' }
  const at = { createdAt: service.time(), nextAttemptAt: null }
  await service.have((tx) =>
    tx.callback.createMany({
      data: [
        { ...common, ...at, messageId: 'm1', resource: 'charge:1', attempts: 2, lastError: '' },
        { ...common, ...at, messageId: 'm2', resource: 'charge:2', attempts: 12, lastError: 'answered 500' },
      ].map((row) => ({ ...row, ...(row.attempts === 12 && { deadLetteredAt: service.time() }) })),
    }),
  )
  const visitor = await signedIn()
  const { text } = await visitor.look(PAGE)
  expect(text).toMatch(
    /charge:2<\/b> · given up after 12 attempts[\s\S]*answered 500[\s\S]*charge:1<\/b> · waits, tried 2 times/,
  )
  expect(text.match(/name="callback"/g)).toHaveLength(1)
  expect(await send(visitor, 'callback-redeliver', { callback: 'm2' })).toMatchObject({
    to: `${PAGE}?said=callback-redelivered`,
  })
  expect((await visitor.look(PAGE)).text).not.toContain('given up')
  expect(await told()).toEqual(['console:password had the callback m2 delivered again'])
})

it('the service page says so if no service runs in this process', async () => {
  const visitor = await serveConsole(world)
  await visitor.signIn()
  expect((await visitor.look(PAGE)).text).toContain(
    'No payments service runs in this process. If one runs elsewhere, use',
  )
  expect((await visitor.look()).text).toContain('/console/service')
})
