import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { signedIn } from '../wallet-page/browser.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(0))
})
const prove = (body: object, { apiKey } = project) => world.raw('POST', '/v0/gamertag/prove', { apiKey, body })

describe('Prove Gamertag', () => {
  it('200: accepts a code from the wallet page once', async () => {
    const { browser, userId } = await signedIn(world, 'Alice')
    await browser.open('/wallet/settings')
    const page = await browser.submit('/wallet/link-code')
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(page.text)?.[0] ?? ''
    const typed = ` ${code} `.trim().toLowerCase().replaceAll('-', '')
    expect((await prove({ gamertag: 'alice', code: typed })).json.data).toEqual({ id: userId, gamertag: 'Alice' })
    expectRefusal(await prove({ gamertag: 'alice', code }), 403, 'wrong_proof')
  })

  it('200: needs no code if given the reference with which the project opened the user', async () => {
    const body = { reference: 'member-1', gamertag: 'alice' }
    const { id } = (await world.raw('POST', '/v0/users', { apiKey: project.apiKey, body })).json.data
    expect((await prove({ gamertag: 'alice', reference: 'member-1' })).json.data).toEqual({ id, gamertag: 'alice' })
    expectRefusal(await prove({ gamertag: 'alice', reference: 'member-2' }), 403, 'proof_required')
    const other = await world.project(sats(0))
    expectRefusal(await prove({ gamertag: 'alice', reference: 'member-1' }, other), 403, 'proof_required')
  })

  it('403 wrong_proof: refuses another user’s code, an expired code and a guess', async () => {
    const [alice] = [await world.user('alice'), await world.user('mallory')]
    const { userId } = (await world.administration.listUsers()).find(({ gamertag }) => gamertag === 'mallory') ?? {}
    const mallorys = await world.administration.linkCode(userId ?? '')
    expectRefusal(await prove({ gamertag: 'alice', code: mallorys.code }), 403, 'wrong_proof')
    expectRefusal(await prove({ gamertag: 'alice', code: 'AAAA-AAAA-AAAA' }), 403, 'wrong_proof')
    const { code } = await world.administration.linkCode(alice)
    world.clock.jump(601_000)
    expectRefusal(await prove({ gamertag: 'alice', code }), 403, 'wrong_proof')
  })

  it('404 gamertag_not_found: refuses an unknown name', async () => {
    expectRefusal(await prove({ gamertag: 'nobody' }), 404, 'gamertag_not_found')
  })
})

itKeepsEveryPromise(operations.proveGamertag)
