import { describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

let world: TippingWorld

/** Starts a bot that has not been able to read its provider's wallet before. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ walletUnread: true, ...options })
  world.provider.stopMisbehaving('getWallet')
}

const deposit = (member = 'alice') =>
  world.run(world.tipping.deposits.open({ member, amount: '500', origin: world.origin() }))

const openings = () => world.database.read.opening.findMany()
const entries = () => world.database.read.entry.findMany({ where: { operation: 'opening' } })
const operator = async () =>
  (await world.database.read.account.findFirst({ where: { kind: 'operator' } }))?.balance ?? 0n
const wallets = () => world.provider.count('getWallet')

describe('the opening of a book', () => {
  it('credits the wallet’s balance to the operator’s account only once', async () => {
    await begin({ wallet: sats(5_000) })
    expect(await openings()).toEqual([])
    await deposit()
    const at = new Date(world.clock.now())
    expect(await openings()).toEqual([{ id: 1, amount: sats(5_000), at }])
    expect(await entries()).toMatchObject([{ operation: 'opening', step: 'post' }])
    const asked = wallets()
    await deposit('bob')
    expect(wallets()).toBe(asked)
    expect(await operator()).toBe(sats(5_000))
  })

  it('causes an alert and a pause if the wallet holds sats and --new-book is not given', async () => {
    await begin({ wallet: sats(5_000), newBookUnsaid: true })
    await deposit()
    const words =
      "this book is new, and the wallet holds 5,000 sats already. If there was a book, they are its members': stop the bot and put that book back. If they are the operator's own, /admin resume opens outgoing payments."
    expect(await world.database.read.alert.findMany()).toMatchObject([{ kind: 'new-book', text: words }])
    expect((await world.tipping.administration.status()).paused).toMatchObject({ source: 'operator', reason: words })
    await world.tipping.administration.resume({ operator: 'olga' })
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
  })

  it('causes no alert and no pause if the wallet is empty, even without --new-book', async () => {
    await begin({ newBookUnsaid: true })
    await deposit()
    expect(await world.database.read.alert.findMany()).toEqual([])
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
  })

  it('books no sats if the wallet is empty', async () => {
    await begin()
    await deposit()
    expect(await openings()).toMatchObject([{ amount: 0n }])
    expect(await entries()).toEqual([])
  })

  it.each([0, 5_000])(
    'happens only once if two deposits open at the same time (%d sats in the wallet)',
    async (amount) => {
      await begin({ wallet: sats(amount) })
      const [one, two] = await Promise.all([deposit(), deposit('bob')])
      expect([one.state, two.state]).toEqual(['open', 'open'])
      expect(await openings()).toMatchObject([{ amount: sats(amount) }])
      expect(await operator()).toBe(sats(amount))
    },
  )

  it('precedes the first deposit, which fails if the opening cannot be written', async () => {
    await begin({ wallet: sats(5_000) })
    world.failCommits = 1
    await expect(deposit()).rejects.toThrow()
    expect(world.provider.count('createStaticCharge')).toBe(0)
    expect(await openings()).toEqual([])
    await deposit()
    expect(await operator()).toBe(sats(5_000))
  })

  it('books no sats, and does not read the wallet, if the book is already in use', async () => {
    await begin({ wallet: sats(5_000) })
    await deposit()
    await world.database.write.opening.deleteMany()
    const asked = wallets()
    await deposit('bob')
    expect(await openings()).toMatchObject([{ amount: 0n }])
    expect(wallets()).toBe(asked)
    expect(await operator()).toBe(sats(5_000))
  })
})
