import { beforeEach, describe, expect, it } from 'vitest'
import { sealingKey } from '../../../src/lib/sealed-text.ts'
import type { ScriptedWallet } from '../../support/scripted-wallets.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let wallet: ScriptedWallet

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  wallet = world.wallets.add('alice')
})

const own = () => world.tipping.ownWallets
const invite = async (member = 'alice') => (await own().invite({ member, locale: 'de' })).token
const connect = async (text: string, token?: string) => await own().connect({ token: token ?? (await invite()), text })

describe('a link to the page that connects a wallet', () => {
  it('belongs to one member, opens the page in their language, and works only once', async () => {
    const token = await invite()
    expect(await own().invited(token)).toEqual({ member: 'alice', locale: 'de' })
    expect(await connect(wallet.uri, token)).toHaveProperty('connected')
    expect(await own().invited(token)).toBeUndefined()
    expect(await connect(wallet.uri, token)).toEqual({ problem: 'link-over' })
  })

  it('can be used again if the entered text was not a connection', async () => {
    const token = await invite()
    expect(await connect('hello', token)).toEqual({ problem: 'no-connection' })
    expect(await connect(wallet.uri, token)).toHaveProperty('connected')
  })

  it('expires after 15 minutes, or when the same member requests another link', async () => {
    const [first, second] = [await invite(), await invite()]
    expect(await connect(wallet.uri, first)).toEqual({ problem: 'link-over' })
    await world.pass(15 * 60_000)
    expect(await connect(wallet.uri, second)).toEqual({ problem: 'link-over' })
    expect(await own().mine('alice')).toBeUndefined()
  })
})

describe('the connection of a wallet', () => {
  it('lists what the wallet can do and what it cannot do', async () => {
    wallet.methods = ['get_info', 'make_invoice']
    expect(await connect(wallet.uri)).toEqual({
      connected: expect.objectContaining({
        name: 'alice',
        pays: false,
        receives: true,
        looksUp: false,
        budget: undefined,
      }),
    })
  })

  it('shows the wallet’s budget if the wallet reports one', async () => {
    wallet.methods = [...wallet.methods, 'get_budget']
    wallet.budgetLeft = 4_000_000n as never
    expect(await connect(wallet.uri)).toMatchObject({ connected: { budget: { left: 4_000_000n, total: 10_000_000n } } })
  })

  it.each([
    ['no valid form', 'lnbc1abc', 'no-connection'],
    ['a relay without encryption', (uri: string) => uri.replace('wss', 'ws'), 'unsafe-relay'],
    ['a relay inside the network', (uri: string) => uri.replace('relay.example.com', '10.0.0.1'), 'private-relay'],
    ['an incomplete secret', (uri: string) => uri.slice(0, -3), 'no-secret'],
    ['no relay', (uri: string) => uri.replace('relay=', 'r='), 'no-relay'],
    ['too many relays', (uri: string) => `${uri}${'&relay=wss%3A%2F%2Fa.example.com'.repeat(5)}`, 'private-relay'],
  ])('is refused with the reason if it has %s', async (_, text, problem) => {
    expect(await connect(typeof text === 'string' ? text : text(wallet.uri))).toMatchObject({ problem })
  })

  it('is refused if the wallet is unreachable or can neither pay nor receive', async () => {
    wallet.isAway = true
    expect(await connect(wallet.uri)).toEqual({ problem: 'wallet-away' })
    wallet.isAway = false
    wallet.methods = ['get_info', 'get_balance']
    expect(await connect(wallet.uri)).toEqual({ problem: 'useless' })
  })

  it('is refused if the wallet is on a different network from the bot', async () => {
    world.network = 'regtest'
    await world.restart()
    wallet.network = 'mainnet'
    expect(await connect(wallet.uri)).toEqual({ problem: 'other-network', detail: 'mainnet' })
  })

  it('is refused while another member has the wallet; it replaces a former connection', async () => {
    await connect(wallet.uri)
    expect(await connect(wallet.uri, await invite('bob'))).toEqual({ problem: 'taken' })
    const other = world.wallets.add('other')
    expect(await connect(other.uri)).toHaveProperty('connected')
    expect(await own().mine('alice')).toMatchObject({ name: 'other' })
    expect(await connect(wallet.uri, await invite('bob'))).toHaveProperty('connected')
  })
})

describe('a connection through a hub', () => {
  const begin = async (token: string) => {
    const begun = await own().begin(token)
    if (begun === undefined) throw new Error('nothing was begun')
    wallet.agreed.add(begun.client)
    return begun
  }
  const finish = (token: string, state: string, change: Partial<{ wallet: string; relays: string[] }> = {}) =>
    own().finish({ token, state, wallet: wallet.connection.walletPubkey, relays: ['wss://r.example.com'], ...change })

  it('uses a key that the bot made, and works like any other connection', async () => {
    const token = await invite()
    const { client, state } = await begin(token)
    expect(await finish(token, state)).toMatchObject({ connected: { name: 'alice', pays: true } })
    expect(await world.database.read.walletConnection.findMany()).toMatchObject([{ member: 'alice', client }])
    expect(await world.database.read.walletPass.count()).toBe(0)
    expect(await finish(token, state)).toEqual({ problem: 'link-over' })
    await world.connected('bob')
    const tip = await world.tip('alice', 'bob', '10')
    await world.settle()
    expect((await world.tipping.tips.view(tip.id)).shares).toMatchObject([{ state: 'direct' }])
  })

  it('can be finished only with the link and the state with which it was begun', async () => {
    const [token, other] = [await invite(), await invite('bob')]
    const { state } = await begin(token)
    const begunByBob = await begin(other)
    expect(await finish(token, begunByBob.state)).toEqual({ problem: 'not-begun' })
    expect(await finish(other, state)).toEqual({ problem: 'not-begun' })
    expect(await finish(token, '')).toEqual({ problem: 'not-begun' })
    expect(await finish('x'.repeat(43), state)).toEqual({ problem: 'link-over' })
    expect(await own().mine('alice')).toBeUndefined()
    expect(await own().mine('bob')).toBeUndefined()
  })

  it('is replaced when another connection is begun with the same link', async () => {
    const token = await invite()
    const first = await begin(token)
    const second = await begin(token)
    expect(second.client).not.toBe(first.client)
    expect(await finish(token, first.state)).toEqual({ problem: 'not-begun' })
    expect(await finish(token, second.state)).toHaveProperty('connected')
  })

  it('is replaced when another connection is begun while its wallet is being contacted', async () => {
    const token = await invite()
    const { state } = await begin(token)
    const info = wallet.info.bind(wallet)
    wallet.info = async () => {
      await own().begin(token)
      return await info()
    }
    expect(await finish(token, state)).toEqual({ problem: 'link-over' })
    expect(await own().mine('alice')).toBeUndefined()
  })

  it('expires with its link after 15 minutes, and leaves no record', async () => {
    const token = await invite()
    await world.pass(14 * 60_000)
    const { state } = await begin(token)
    await world.pass(60_000)
    expect(await own().begin(token)).toBeUndefined()
    expect(await finish(token, state)).toEqual({ problem: 'link-over' })
    await world.pass(60 * 60_000)
    expect(await world.database.read.walletPass.count()).toBe(0)
  })

  it.each([
    ['an invalid wallet', { wallet: `${'a'.repeat(64)}?secret=1` }, 'no-wallet'],
    ['no relay', { relays: [] }, 'no-relay'],
    ['a relay over plain http', { relays: ['ws://r.example.com'] }, 'unsafe-relay'],
    ['a relay inside the network', { relays: ['wss://10.0.0.1'] }, 'private-relay'],
    ['a wallet that has not agreed', { wallet: 'ab'.repeat(32) }, 'wallet-away'],
  ])('is refused if the hub returns %s, and can be retried', async (_, change, problem) => {
    const token = await invite()
    const { state } = await begin(token)
    expect(await finish(token, state, change)).toMatchObject({ problem })
    expect(await finish(token, state)).toHaveProperty('connected')
  })

  it('is deleted with the member’s data, and its secret is not in their export', async () => {
    const { state } = await begin(await invite())
    const copy = JSON.stringify(await world.tipping.privacy.export('alice'))
    expect(copy).toContain('"linksToConnectIt":[{')
    expect(copy).not.toMatch(/sealed|"state"/)
    await world.tipping.privacy.forget('alice')
    expect(await world.database.read.walletPass.count()).toBe(0)
    expect(await finish('x'.repeat(43), state)).toEqual({ problem: 'link-over' })
  })

  it('cannot be begun if the bot has no sealing key', async () => {
    const other = await TippingWorld.open()
    expect(await other.tipping.ownWallets.begin('x'.repeat(43))).toBeUndefined()
    await other.close()
  })
})

describe('an answer from a wallet app', () => {
  it('is accepted only with the state of the connection that was begun with the link', async () => {
    const token = await invite()
    const begun = await own().begin(token)
    const command = { token, text: wallet.uri }
    expect(await own().connect({ ...command, state: 'x'.repeat(43) })).toEqual({ problem: 'not-begun' })
    expect(await own().connect({ ...command, state: '' })).toEqual({ problem: 'not-begun' })
    expect(await own().connect({ ...command, state: begun?.state ?? '' })).toHaveProperty('connected')
  })
})

describe('the secret of a connection', () => {
  const everything = async () => {
    const { read } = world.database
    return JSON.stringify(
      [await read.walletConnection.findMany(), await read.walletPass.findMany(), await read.member.findMany()],
      (_, value) => (typeof value === 'bigint' ? value.toString() : value),
    )
  }

  it('is stored encrypted', async () => {
    await connect(wallet.uri)
    expect(await everything()).not.toContain(wallet.connection.secret)
    expect(await everything()).not.toContain(Buffer.from(wallet.connection.secret, 'hex').toString('base64url'))
  })

  it('cannot be used without its sealing key, and a tip then fails as “disconnected”', async () => {
    await connect(wallet.uri)
    await world.connected('bob')
    const other = sealingKey(Buffer.alloc(32, 9))
    Object.assign(world.wallets.keys, { all: () => [other] })
    await world.restart()
    const tip = await world.tip('alice', 'bob', '10')
    await world.settle()
    const [share] = (await world.tipping.tips.view(tip.id)).shares
    expect(share).toMatchObject({ state: 'unpaid', failure: 'disconnected' })
  })

  it('is deleted when the member disconnects the wallet', async () => {
    await connect(wallet.uri)
    expect(await own().disconnect('alice')).toBe(true)
    expect(await own().disconnect('alice')).toBe(false)
    expect(await own().mine('alice')).toBeUndefined()
    expect(await world.database.read.walletConnection.count()).toBe(0)
  })

  it('is deleted with the member’s data, and is not in their export', async () => {
    await connect(wallet.uri)
    const copy = JSON.stringify(await world.tipping.privacy.export('alice'))
    expect(copy).toContain('"ownWallet":[{"member":"alice"')
    expect(copy).not.toContain('sealed')
    await world.tipping.privacy.forget('alice')
    expect(await own().mine('alice')).toBeUndefined()
  })
})

it('connecting a wallet is not offered if the bot has no sealing key', async () => {
  const other = await TippingWorld.open()
  expect(other.tipping.ownWallets.offered).toBe(false)
  await other.close()
})
