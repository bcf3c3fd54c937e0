import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { type Browser, type Page, signedIn, words } from './browser.ts'

let world: ServiceWorld
let alice: { browser: Browser; userId: string }

beforeEach(async () => {
  world = await ServiceWorld.open({ settings: { gamertagReservedDays: 30 } })
  alice = await signedIn(world, 'alice')
})
describe('a voucher on the wallet page', () => {
  async function redeem(code: string): Promise<Page> {
    await alice.browser.open('/wallet/redeem')
    return alice.browser.submit('/wallet/redeem', { code })
  }
  const make = async () => {
    const { apiKey } = await world.project()
    const body = { amount: sats(1_000).toString(), description: 'welcome' }
    return (await world.raw('POST', '/v1/create-voucher', { apiKey, body })).json.data.code as string
  }

  it('can be redeemed once, in any letter case and with or without hyphens', async () => {
    const code = await make()
    expect(words(await redeem(`${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase()))).toMatch(
      /1,000 test sats added to your wallet.*welcome/,
    )
    expect(await world.balance({ kind: 'user', id: alice.userId })).toBe(sats(1_000))
    const bob = await signedIn(world, 'bob')
    await bob.browser.open('/wallet/redeem')
    expect(words(await bob.browser.submit('/wallet/redeem', { code }))).toContain('has been redeemed already')
    expect(words(await alice.browser.open('/wallet/history'))).toMatch(/Voucher redeemed.*welcome.*\+1,000/)
  })

  it('leads to the same page again if its form is sent twice', async () => {
    const code = await make()
    await alice.browser.open('/wallet/redeem')
    const form = { ...alice.browser.fieldsOf('/wallet/redeem'), code }
    const first = await alice.browser.post('/wallet/redeem', form)
    const second = await alice.browser.post('/wallet/redeem', form)
    expect([second.status, second.path]).toEqual([200, first.path])
  })

  it('is refused if its code is unknown, and guessing leads to a lockout', async () => {
    expect(words(await redeem('short'))).toContain('eight letters and digits')
    for (let i = 0; i < 10; i += 1) {
      expect(words(await redeem(`ACDEFGH${i}`))).toContain('There is no voucher with this code')
      await world.clock.advance(1_000)
    }
    const locked = await redeem('ACDEFGHA')
    expect([locked.status, words(locked)]).toEqual([429, expect.stringContaining('Too many wrong voucher codes')])
    expect(locked.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})

describe('a gamertag', () => {
  async function rename(who: Browser, gamertag: string): Promise<Page> {
    await who.open('/wallet/settings')
    return who.submit('/wallet/rename', { gamertag })
  }

  it('can be changed, and the old one stays reserved for its user', async () => {
    const page = await rename(alice.browser, 'Alice_2')
    expect(words(page)).toContain('Alice_2')
    expect(words(page)).toContain('nobody else can take it for 30 days')
    const bob = await signedIn(world, 'bob')
    const refused = await rename(bob.browser, 'ALICE')
    expect([refused.status, words(refused)]).toEqual([409, expect.stringContaining('This name is taken or reserved')])
    expect(words(await rename(alice.browser, 'alice'))).toContain('Wallet name alice')
  })

  it('can be changed by its user at most 3 times in 30 days', async () => {
    for (const name of ['alice2', 'alice3', 'alice2']) expect(words(await rename(alice.browser, name))).toContain(name)
    const refused = await rename(alice.browser, 'alice4')
    expect([refused.status, words(refused)]).toEqual([429, expect.stringContaining('3 times in 30 days')])
    expect(Number(refused.headers.get('retry-after'))).toBe(30 * 24 * 3_600)
    // An operator may do it for her, and others have changes of their own.
    await world.administration.renameUser(alice.userId, 'alice5')
    const bob = await signedIn(world, 'bob')
    expect(words(await rename(bob.browser, 'bobby'))).toContain('Wallet name bobby')
    await world.leap(30 * 24 * 3_600_000 + 1)
    await alice.browser.open(`/wallet/sign-in?token=${(await world.administration.userToken(alice.userId)).token}`)
    await alice.browser.submit('/wallet/sign-in')
    expect(words(await rename(alice.browser, 'alice4'))).toContain('Wallet name alice4')
  })

  it('is refused if it suggests authority or resembles a name that does', async () => {
    for (const name of ['Admin', 'supp0rt', 'satchel-team']) {
      const refused = await rename(alice.browser, name)
      expect([refused.status, words(refused)]).toEqual([409, expect.stringContaining('taken or reserved')])
    }
    // What was refused is not a change.
    expect(words(await rename(alice.browser, 'alice2'))).toContain('Wallet name alice2')
  })

  it('can be released by its user once it is replaced, and is then free', async () => {
    await rename(alice.browser, 'alice2')
    const settings = await alice.browser.open('/wallet/settings')
    expect(words(settings)).toContain('alice was yours before')
    const bob = await signedIn(world, 'bob')
    await bob.browser.open('/wallet/settings')
    const forms = { ...bob.browser.fieldsOf('/wallet/rename'), name: 'alice' }
    expect((await bob.browser.post('/wallet/release', forms)).status).toBe(404)
    expect(words(await rename(bob.browser, 'alice'))).toContain('taken or reserved')
    await alice.browser.open('/wallet/settings')
    expect(words(await alice.browser.submit('/wallet/release'))).not.toContain('was yours before')
    expect(words(await rename(bob.browser, 'alice'))).toContain('Wallet name alice')
    // The gamertag of now is not released like this.
    await alice.browser.open('/wallet/settings')
    const mine = { ...alice.browser.fieldsOf('/wallet/rename'), name: 'alice2' }
    expect((await alice.browser.post('/wallet/release', mine)).status).toBe(404)
  })

  it('is refused if it has the wrong length or forbidden characters', async () => {
    for (const wrong of ['al', 'with space', 'x'.repeat(31), 'é-é-é']) {
      expect(words(await rename(alice.browser, wrong))).toContain('3 to 30 letters, digits')
    }
  })
})
