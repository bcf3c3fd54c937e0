import { beforeEach, describe, expect, it } from 'vitest'
import type { VoucherCommand } from '../../../src/tipping/vouchers/vouchers.ts'
import { claim, open } from '../drops/drop-steps.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await aliceHasSome()
  world.provider.vouchers.toWallets = 9_000n
})

const HOUR_MS = 3_600_000

function create(more: Partial<VoucherCommand> = {}) {
  return world.tipping.vouchers.create({ member: 'alice', amount: '10', origin: world.origin(), ...more })
}

const toAnyWallet = (voucher: string, member = 'alice') => world.tipping.vouchers.toAnyWallet({ member, voucher })
const nextPollOf = async (id: string) => (await world.database.read.pollJob.findUniqueOrThrow({ where: { id } })).nextAt

describe('a voucher for any wallet', () => {
  it('is found only by its id; if wallets cannot claim it, a refusal states its value', async () => {
    await expect(toAnyWallet('nothing')).rejects.toMatchObject({ code: 'voucher-not-found' })
    world.provider.vouchers.toWallets = undefined
    const { id } = await create()
    await expect(toAnyWallet(id)).rejects.toMatchObject({ code: 'voucher-over', facts: { amount: 10_000n } })
  })

  it('is shown with the card of its maker, or of its recipient if it has one', async () => {
    const own = await create()
    const gift = await create({ recipient: { id: 'bob', bot: false } })
    expect((await toAnyWallet(own.id)).card).toBe(own.card)
    const bobs = (await toAnyWallet(gift.id, 'bob')).card
    expect(await world.tipping.cards.get(bobs)).toMatchObject({ kind: 'voucher-gift', record: gift.id })
  })

  it('belongs to its claimer if it is from a drop, and is shown with the share’s card', async () => {
    const drop = await open(world, { codes: true, shares: 2, amount: '20' })
    await world.settle()
    const shares = await Promise.all(['bob', 'carol'].map((who) => claim(world, drop.id, who)))
    const vouchers = await world.database.read.voucher.findMany({ where: { dropId: drop.id } })
    const idOf = (who: string) => vouchers.find(({ holder }) => holder === who)?.id ?? ''
    expect((await toAnyWallet(idOf('bob'), 'bob')).card).toBe(shares[0]?.card)
    expect((await toAnyWallet(idOf('carol'), 'carol')).card).toBe(shares[1]?.card)
    for (const other of ['alice', 'carol']) {
      await expect(toAnyWallet(idOf('bob'), other)).rejects.toMatchObject({ code: 'voucher-not-found' })
    }
  })

  it('is not offered once its revocation has been requested', async () => {
    const { id } = await create()
    await world.pass(HOUR_MS)
    await world.provider.down()
    const command = { member: 'alice', voucher: id, origin: world.origin() }
    expect(await world.run(world.tipping.vouchers.revoke(command))).toMatchObject({
      state: 'revoking',
      anyWallet: undefined,
    })
    await expect(toAnyWallet(id)).rejects.toMatchObject({ code: 'voucher-over' })
    await world.provider.up()
    await world.pass(60_000)
  })

  it('is polled 20 seconds after it is shown, and other vouchers’ polls do not change', async () => {
    const [shown, other] = [await create(), await create()]
    await world.pass(3 * HOUR_MS)
    const before = await nextPollOf(other.id)
    await toAnyWallet(shown.id)
    expect(await nextPollOf(shown.id)).toEqual(new Date(world.clock.now() + 20_000))
    expect(await nextPollOf(other.id)).toEqual(before)
  })

  it('keeps its earlier poll time when it is shown', async () => {
    const { id } = await create()
    const before = await nextPollOf(id)
    expect(before?.getTime()).toBeLessThan(world.clock.now() + 20_000)
    await toAnyWallet(id)
    expect(await nextPollOf(id)).toEqual(before)
  })
})
