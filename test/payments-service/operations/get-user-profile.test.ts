import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld } from '../harness.ts'
import { LogIns } from '../log-in/log-in-world.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { type Browser, signedIn } from '../wallet-page/browser.ts'

let world: ServiceWorld
let game: LogIns
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open()
  game = await LogIns.open(world)
  alice = await signedIn(world, 'alice')
})
const logIn = async (scope = 'user wallet') => (await game.exchange(await game.code(alice.browser, { scope }))).json

describe('Get User Profile', () => {
  it('200: shows the user who logged in to the program’s project', async () => {
    const { access_token: token } = await logIn('user')
    const { json } = await game.user(token)
    expect(json).toEqual({
      success: true,
      message: 'User retrieved.',
      data: {
        id: alice.userId,
        gamertag: 'alice',
        email: null,
        image: null,
        isVerified: false,
        lightningAddress: `alice@${new URL(world.url).host}`,
        publicBio: '',
        publicStaticCharge: expect.stringMatching(/^lnurl1/i),
      },
    })
    const payTo = decodeLnurl(json.data.publicStaticCharge, { allowLoopbackHttp: true })
    expect(payTo.href).toBe(`${world.url}/.well-known/lnurlp/alice`)
    const { data } = await game.project.client.getUserProfile({ usertoken: token })
    expect(data.id).toBe(alice.userId)
  })

  it('401 missing_user_token: refuses a missing or empty token', async () => {
    for (const token of [undefined, '']) expectRefusal(await game.user(token), 401, 'missing_user_token')
  })

  it('401 unknown_user_token: refuses a token that this project was never given', async () => {
    const { access_token: token, refresh_token } = await logIn()
    expectRefusal(await game.user(token, await world.project()), 401, 'unknown_user_token')
    for (const other of ['nonsense', refresh_token, await game.code(alice.browser)])
      expectRefusal(await game.user(other), 401, 'unknown_user_token')
  })

  it('403 missing_user_scope: refuses a log-in that allowed only the wallet', async () => {
    const { access_token: token } = await logIn('wallet')
    expectRefusal(await game.user(token), 403, 'missing_user_scope')
  })

  it('401 missing_api_key: refuses a user token without an API key', async () => {
    const { access_token: usertoken } = await logIn()
    expectRefusal(await world.raw('GET', '/v1/oauth2/user', { headers: { usertoken } }), 401, 'missing_api_key')
  })
})

itKeepsEveryPromise(operations.getUserProfile)
