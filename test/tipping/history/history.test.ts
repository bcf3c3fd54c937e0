import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import type { MemberLine } from '../../../src/tipping/tipping.ts'
import { claim, close, open } from '../drops/drop-steps.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

let world: TippingWorld
async function tip(from: string, to: string, amount: string): Promise<void> {
  await world.run(world.tipping.tips.send({ from, to: [{ id: to, bot: false }], amount, origin: world.origin() }))
}

const short = ({ what, amount, balance, state, who }: MemberLine) =>
  [what, Number(amount) / 1_000, balance === undefined ? state : Number(balance) / 1_000, who].filter(
    (part) => part !== undefined,
  )

const page = async (member: string, number = 0) => (await world.tipping.history.page(member, number)).lines.map(short)

const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const PREIMAGE = hash('preimage')

function invoiceFor(amount: number): string {
  return encodeInvoice({
    network: 'regtest',
    amount: sats(amount),
    description: 'outside',
    paymentHash: hash(Buffer.from(PREIMAGE, 'hex')),
    paymentSecret: hash('secret'),
    createdAt: new Date(world.clock.now()),
    expiresInSeconds: 3_600,
    privateKey: hash('outside'),
  })
}

async function withdraw(amount: string, to: string): Promise<string> {
  const asked = await world.tipping.withdrawals.ask({ member: 'alice', amount, to, origin: world.origin() })
  const { id } = asked
  await world.run(world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
  return id
}

describe('a history', () => {
  it('shows each booking with the other person and the balance after it', async () => {
    world = await aliceHasSome({ settings: { claimDays: 1 } })
    await world.tipping.balances.view('bob')
    await tip('alice', 'bob', '100')
    await tip('alice', 'carol', '40')
    await tip('alice', 'dave', '10')
    await world.tipping.claims.take({ member: 'carol', origin: world.origin() })
    await world.clock.advance(2 * 24 * 3_600_000)
    await world.settle()
    await world.linked('bob')
    await tip('alice', 'bob', '60')
    await withdraw('500', invoiceFor(500))

    expect(await page('alice')).toEqual([
      ['fee-returned', 9, 299],
      ['withdrawal', -510, 290],
      ['tip-sent', -60, 800, 'bob'],
      ['tip-returned', 10, 860, 'dave'],
      ['tip-sent', -10, 850, 'dave'],
      ['tip-sent', -40, 860, 'carol'],
      ['tip-sent', -100, 900, 'bob'],
      ['deposit', 1_000, 1_000],
    ])
    expect(await page('carol')).toEqual([['tip-received', 40, 40, 'alice']])
    expect(await page('bob')).toEqual([
      ['payout', -60, 100],
      ['tip-received', 60, 160, 'alice'],
      ['tip-received', 100, 100, 'alice'],
    ])
    expect(await page('dave')).toEqual([])
  })

  it('names drops, giveaways, gifts to a pool, and their returns', async () => {
    world = await aliceHasSome()
    const drop = await open(world, { amount: '100', shares: 2 })
    await claim(world, drop.id, 'bob')
    await close(world, drop.id)
    await world.tipping.pools.give({ guild: 'guild', member: 'alice', amount: '50', origin: world.origin() })
    const start = { prize: '20', winners: 2, duration: '1h', origin: world.origin() }
    const giveaway = await world.tipping.giveaways.start({ member: 'alice', accountSince: new Date(0), ...start })
    const entrant = { accountSince: new Date(0), roles: [] }
    await world.tipping.giveaways.enter({ giveaway: giveaway.id, member: 'bob', entrant, interaction: '1001' })
    await world.clock.advance(2 * 3_600_000)
    await world.settle()

    expect(await page('alice')).toEqual([
      ['giveaway-rest', 20, 880],
      ['giveaway', -40, 860],
      ['pool-gift', -50, 900],
      ['drop-rest', 50, 950],
      ['drop', -100, 900],
      ['deposit', 1_000, 1_000],
    ])
    expect(await page('bob')).toEqual([
      ['prize', 20, 70, 'alice'],
      ['drop-share', 50, 50, 'alice'],
    ])
  })

  it('has pages without gaps or repetitions, and a file of all bookings, oldest first', async () => {
    world = await aliceHasSome()
    await world.tipping.balances.view('bob')
    for (let amount = 1; amount <= 20; amount += 1) await tip('alice', 'bob', String(amount))
    const pages = await Promise.all([0, 1, 2, 3].map((number) => world.tipping.history.page('alice', number)))
    expect(pages.map(({ lines, hasOlder }) => [lines.length, hasOlder])).toEqual([
      [8, true],
      [8, true],
      [5, false],
      [0, false],
    ])
    const all = await world.tipping.history.export('alice')
    expect(all).toMatchObject(pages.flatMap(({ lines }) => lines).reverse())
    expect(all.map(({ amount }) => Number(amount) / 1_000)).toEqual([
      1_000,
      ...Array.from({ length: 20 }, (_, n) => -n - 1),
    ])
    // Each line follows from the one before it.
    for (const [index, line] of all.entries()) expect(line.balance).toBe((all[index - 1]?.balance ?? 0n) + line.amount)
    expect((await world.tipping.history.operations('alice')).length).toBe(21)
  })
})

describe('the list of a member’s payments', () => {
  it('shows a withdrawal with its reserved fee, but not the return of the unused part', async () => {
    world = await aliceHasSome()
    await withdraw('500', invoiceFor(500))
    expect((await page('alice'))[0]).toEqual(['fee-returned', 9, 499])
    expect((await world.tipping.history.operations('alice')).map(short)).toEqual([
      ['withdrawal', -510, 490],
      ['deposit', 1_000, 1_000],
    ])
  })
})

describe('a receipt', () => {
  it('proves a payment by its preimage if the preimage matches the payment hash', async () => {
    world = await aliceHasSome()
    const operation = await withdraw('500', invoiceFor(500))
    const receipt = () => world.run(world.tipping.history.receipt({ member: 'alice', operation }))
    const { id } = world.provider.outgoing.only('payments')
    const known = { operation, what: 'withdrawal', amount: -501_000n, fee: 1_000n, remoteId: id }
    const paymentHash = hash(Buffer.from(PREIMAGE, 'hex'))
    expect(await receipt()).toMatchObject({ ...known, paymentHash, preimage: undefined })
    world.provider.outgoing.preimage = hash('another')
    expect(await receipt()).toMatchObject({ ...known, preimage: undefined })
    world.provider.outgoing.preimage = PREIMAGE
    expect(await receipt()).toMatchObject({ ...known, preimage: PREIMAGE })
    world.provider.misbehave('retrievePayment', 'error', 'error', 'error', 'error', 'error', 'error')
    expect(await receipt()).toMatchObject({ ...known, preimage: 'missing' })
  })

  it('is shown only to members who took part in the operation', async () => {
    world = await aliceHasSome()
    await world.tipping.balances.view('bob')
    await tip('alice', 'bob', '100')
    const [line] = await world.tipping.history.operations('alice')
    const operation = line?.operation ?? ''
    const seen = (member: string) => world.tipping.history.receipt({ member, operation })
    expect(await seen('alice')).toMatchObject({ what: 'tip-sent', who: 'bob', amount: -100_000n })
    expect(await seen('bob')).toMatchObject({ what: 'tip-received', who: 'alice', amount: 100_000n })
    const refused = expect.objectContaining({ code: 'payment-not-found' })
    await expect(seen('carol')).rejects.toEqual(refused)
    await expect(world.tipping.history.receipt({ member: 'alice', operation: 'nothing' })).rejects.toEqual(refused)
  })

  it('names the charge behind a deposit', async () => {
    world = await aliceHasSome()
    const [line] = await world.tipping.history.operations('alice')
    const receipt = await world.tipping.history.receipt({ member: 'alice', operation: line?.operation ?? '' })
    expect(receipt).toMatchObject({ what: 'deposit', amount: 1_000_000n, fee: undefined, preimage: undefined })
    expect(receipt.remoteId).toBe(world.provider.chargeOf(receipt.request ?? '').id)
  })
})

describe('a tip from wallet to wallet', () => {
  const receipt = (member: string, operation: string) => world.tipping.history.receipt({ member, operation })

  it('appears among the bookings in both histories and in their files', async () => {
    world = await aliceHasSome({ ownWallets: true })
    await world.connected('alice')
    await world.connected('bob')
    await world.clock.advance(1_000)
    await tip('alice', 'bob', '70')
    await world.settle()
    await world.clock.advance(1_000)
    await tip('alice', 'carol', '40')
    expect(await page('alice')).toEqual([
      ['tip-sent', -40, 960, 'carol'],
      ['tip-sent', -70, 'direct', 'bob'],
      ['deposit', 1_000, 1_000],
    ])
    expect(await page('bob')).toEqual([['tip-received', 70, 'direct', 'alice']])
    expect((await world.tipping.history.export('alice')).map(short)).toEqual((await page('alice')).toReversed())
    expect((await world.tipping.history.operations('bob')).map(short)).toEqual(await page('bob'))
  })

  it('appears on only one page of a history', async () => {
    world = await aliceHasSome({ ownWallets: true })
    await world.connected('alice')
    await world.connected('bob')
    for (let nth = 1; nth <= 10; nth += 1) {
      await world.clock.advance(1_000)
      await tip('alice', nth % 2 === 0 ? 'bob' : 'carol', String(nth))
      await world.settle()
    }
    expect((await page('alice')).map(([, amount]) => amount)).toEqual([-10, -9, -8, -7, -6, -5, -4, -3])
    expect((await page('alice', 1)).map(([, amount]) => amount)).toEqual([-2, -1, 1_000])
    expect((await world.tipping.history.page('alice', 1)).hasOlder).toBe(false)
  })

  it('is shown only to its giver while it is unpaid, and is in no export', async () => {
    world = await aliceHasSome({ ownWallets: true })
    const wallet = await world.connected('alice')
    await world.connected('bob')
    wallet.payFaults.push({ error: 'INSUFFICIENT_BALANCE' })
    await world.clock.advance(1_000)
    await tip('alice', 'bob', '70')
    await world.settle()
    expect(await page('alice')).toEqual([
      ['tip-sent', -70, 'unpaid', 'bob'],
      ['deposit', 1_000, 1_000],
    ])
    expect(await page('bob')).toEqual([])
    expect((await world.tipping.history.export('alice')).map(short)).toEqual([['deposit', 1_000, 1_000]])
    const [line] = await world.tipping.history.operations('alice')
    expect(await receipt('alice', line?.operation ?? '')).toMatchObject({ state: 'unpaid', preimage: undefined })
    await expect(receipt('bob', line?.operation ?? '')).rejects.toMatchObject({ code: 'payment-not-found' })
  })

  it('is shown to its giver as possibly paid until it is proven', async () => {
    world = await aliceHasSome({ ownWallets: true })
    const wallet = await world.connected('alice')
    await world.connected('bob')
    wallet.payFaults.push('late')
    await world.clock.advance(1_000)
    await tip('alice', 'bob', '70')
    await world.pass(10_000)
    expect((await page('alice'))[0]).toEqual(['tip-sent', -70, 'unsure', 'bob'])
    expect(await page('bob')).toEqual([])
    await world.pass(90_000)
    expect((await page('alice'))[0]).toEqual(['tip-sent', -70, 'direct', 'bob'])
    expect(await page('bob')).toEqual([['tip-received', 70, 'direct', 'alice']])
  })

  it('has a receipt with its proof for both people', async () => {
    world = await aliceHasSome({ ownWallets: true })
    await world.connected('alice')
    await world.connected('bob')
    await tip('alice', 'bob', '70')
    await world.settle()
    const [line] = await world.tipping.history.operations('bob')
    const [mine, theirs] = [await receipt('alice', line?.operation ?? ''), await receipt('bob', line?.operation ?? '')]
    expect(mine).toMatchObject({
      what: 'tip-sent',
      amount: -70_000n,
      who: 'bob',
      request: expect.stringMatching(/^ln/),
    })
    expect(theirs).toMatchObject({ what: 'tip-received', amount: 70_000n, who: 'alice' })
    expect(hash(Buffer.from(mine.preimage ?? '', 'hex'))).toBe(mine.paymentHash)
    await expect(receipt('carol', line?.operation ?? '')).rejects.toMatchObject({ code: 'payment-not-found' })
  })
})
