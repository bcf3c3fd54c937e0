import { beforeEach, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true, wallet: 100_000n })
  await world.fund('alice', 1_000)
})
const move = (interaction?: string) =>
  world.tipping.withdrawals.askToMove({ member: 'alice', origin: world.origin(interaction) })

it('a balance, less the fee limit, moves to its member’s wallet after a confirmation', async () => {
  const wallet = await world.connected('alice')
  const asked = await move('again')
  expect(asked).toMatchObject({ state: 'asked', kind: 'invoice', amount: 990_000n, feeLimit: 10_000n })
  expect(await world.available('alice')).toBe(1_000_000n)
  expect((await move('again')).id).toBe(asked.id)
  expect(wallet.asked.filter((method) => method === 'make_invoice')).toHaveLength(1)
  const confirming = { withdrawal: asked.id, member: 'alice', origin: world.origin() }
  await world.run(world.tipping.withdrawals.confirm(confirming))
  await world.settle()
  expect(await world.tipping.withdrawals.view(asked.id)).toMatchObject({ state: 'paid', amount: 990_000n })
})

it.each(['silent', 'other-amount'] as const)(
  'a balance stays in the book if the member’s wallet makes no valid invoice: %s',
  async (fault) => {
    const wallet = await world.connected('alice')
    wallet.invoiceFaults.push(fault)
    await expect(world.run(move())).rejects.toMatchObject({
      code: fault === 'silent' ? 'own-wallet-no-invoice' : 'invoice-amount-differs',
    })
    expect(await world.available('alice')).toBe(1_000_000n)
    expect(await world.database.read.withdrawal.count()).toBe(0)
  },
)

it('a balance stays in the book if no connected wallet can make an invoice', async () => {
  await expect(move()).rejects.toMatchObject({ code: 'own-wallet-no-invoice' })
  await world.connected('alice', { methods: ['pay_invoice'] })
  await expect(move()).rejects.toMatchObject({ code: 'own-wallet-no-invoice' })
})
