import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
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
const wallet = (token: string | undefined, project = game.project) => game.user(token, project, 'wallet')

describe('Get User Wallet', () => {
  it('200: shows the spendable balance in msats to the program’s project', async () => {
    await game.project.client.payToGamertag({ gamertag: 'alice', amount: sats(21), description: '' })
    const { access_token: token } = await logIn('wallet')
    const none = '2100000000000000000'
    expect((await wallet(token)).json).toEqual({
      success: true,
      message: 'Wallet retrieved.',
      data: {
        balance: '21000',
        remainingAmountLimits: { daily: none, weekly: none, monthly: none, maxCredit: '10000000000' },
      },
    })
    const { data } = await game.project.client.getUserWallet({ usertoken: token })
    expect(data.balance).toBe(21_000n)
  })

  it('401 missing_user_token: refuses a missing or empty token', async () => {
    for (const token of [undefined, '']) expectRefusal(await wallet(token), 401, 'missing_user_token')
  })

  it('401 unknown_user_token: refuses a token that this project was never given', async () => {
    const { access_token: token, refresh_token } = await logIn()
    expectRefusal(await wallet(token, await world.project()), 401, 'unknown_user_token')
    for (const other of ['nonsense', refresh_token, await game.code(alice.browser)])
      expectRefusal(await wallet(other), 401, 'unknown_user_token')
  })

  it('403 missing_user_scope: refuses a log-in that allowed only the profile', async () => {
    const { access_token: token } = await logIn('user')
    expectRefusal(await wallet(token), 403, 'missing_user_scope')
  })

  it('401 missing_api_key: refuses a user token without an API key', async () => {
    const { access_token: usertoken } = await logIn()
    expectRefusal(await world.raw('GET', '/v1/oauth2/wallet', { headers: { usertoken } }), 401, 'missing_api_key')
  })
})

itKeepsEveryPromise(operations.getUserWallet)
