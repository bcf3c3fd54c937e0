import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { Browser, words } from '../wallet-page/browser.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(0))
})
const UNUSABLE = 'This sign-in link has already been used, or it has expired'

async function openUser(reference = 'member-1'): Promise<string> {
  const body = { reference, gamertag: 'alice' }
  return (await world.raw('POST', '/v0/users', { apiKey: project.apiKey, body })).json.data.id
}

const ask = (id: string, { apiKey } = project) =>
  world.raw('POST', `/v0/users/${id}/sign-in-link`, { apiKey, body: {} })

async function pathOf(id: string): Promise<string> {
  const { url } = (await ask(id)).json.data
  return url.slice(new URL(url).origin.length)
}

describe('Create Sign-in Link', () => {
  it('200: makes a link that signs the project’s user in once', async () => {
    const path = await pathOf(await openUser())
    const browser = new Browser(world)
    await browser.open(path)
    expect(words(await browser.submit('/wallet/sign-in'))).toContain('Your balance')
    expect(words(await new Browser(world).open(path))).toContain(UNUSABLE)
  })

  it('200: makes a link that expires after 10 minutes', async () => {
    const path = await pathOf(await openUser())
    world.clock.jump(599_000)
    expect(words(await new Browser(world).open(path))).toContain('Open the wallet of alice')
    world.clock.jump(2_000)
    expect(words(await new Browser(world).open(path))).toContain(UNUSABLE)
  })

  it('200: makes a link that replaces the project’s older link but no operator’s link', async () => {
    const id = await openUser()
    const { token } = await world.administration.userToken(id)
    const first = await pathOf(id)
    const second = await pathOf(id)
    expect(words(await new Browser(world).open(first))).toContain(UNUSABLE)
    expect(words(await new Browser(world).open(second))).toContain('Open the wallet of alice')
    expect(words(await new Browser(world).open(`/wallet/sign-in?token=${token}`))).toContain('Open the wallet of alice')
  })

  it('404 user_not_found: refuses a user whom an operator or another project created', async () => {
    const other = await world.project(sats(0))
    expectRefusal(await ask(await world.user('bob')), 404, 'user_not_found')
    expectRefusal(await ask(await openUser(), other), 404, 'user_not_found')
    expectRefusal(await ask('nobody'), 404, 'user_not_found')
  })

  it('403: refuses a key that may not send', async () => {
    const id = await openUser()
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read', 'receive'] })
    expect((await ask(id, { ...project, apiKey })).status).toBe(403)
  })
})

itKeepsEveryPromise(operations.createSignInLink)
