import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { DEFAULT_SETTINGS } from '../../src/tipping/core/settings.ts'
import type { InvoicedTipView } from '../../src/tipping/tipping.ts'
import { begin } from './wind-down/community.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  // Somebody who uses the bot is credited at once.
  await world.tipping.balances.view('bob')
})
interface Asked {
  readonly from?: string
  readonly to?: readonly string[]
  readonly amount?: string
  readonly interaction?: string
}

function command({ from = 'alice', to = ['bob'], amount = '500', interaction }: Asked) {
  const origin = world.origin(interaction)
  const recipients = to.map((id) => ({ id, bot: false }))
  return { from, to: recipients, amount, note: 'thanks', origin, announced: { ...origin, reply: '' } }
}

const ask = (asked: Asked = {}) => world.tipping.invoicedTips.ask(command(asked))

/** Returns the invoice with which a tip is answered. */
async function invoiced(asked: Asked = {}): Promise<InvoicedTipView> {
  const answer = await ask(asked)
  if (!('missing' in answer)) throw new Error('no invoice was needed')
  return answer
}

async function pay({ deposit }: InvoicedTipView): Promise<void> {
  const { request } = await world.tipping.deposits.view(deposit)
  const charge = world.provider.chargeOf(request)
  world.provider.payCharge(charge.id)
  await world.tipping.hint(world.token(charge.callbackUrl))
}

async function paid(tip: InvoicedTipView): Promise<void> {
  await pay(tip)
  await world.settle()
}

const view = ({ deposit }: InvoicedTipView) => world.tipping.invoicedTips.view(deposit)
const tips = () => world.database.read.tip.findMany({ include: { shares: true } })

describe('a tip that its giver’s balance cannot cover', () => {
  it('is sent when its invoice is paid, and leaves nothing in the giver’s balance', async () => {
    const tip = await invoiced()
    expect(tip).toMatchObject({ state: 'waiting', total: 500_000n, missing: 500_000n, to: ['bob'], from: 'alice' })
    expect(await tips()).toEqual([])
    await paid(tip)
    expect(await view(tip)).toMatchObject({ state: 'sent', because: undefined })
    expect(await world.available('bob')).toBe(500_000n)
    expect(await world.available('alice')).toBe(0n)
    expect(await tips()).toMatchObject([{ sender: 'alice', note: 'thanks', total: 500_000n, channel: 'channel' }])
  })

  it('leads to an invoice for only the missing amount, in whole sats', async () => {
    await world.fund('alice', 200)
    const tip = await invoiced({ amount: '500.5 sats' })
    expect(tip).toMatchObject({ total: 500_500n, missing: 301_000n })
    await paid(tip)
    expect(await world.available('bob')).toBe(500_500n)
    expect(await world.available('alice')).toBe(500n)
  })

  it('waits for a newcomer like any other tip', async () => {
    await paid(await invoiced({ to: ['newcomer'] }))
    expect((await tips())[0]?.shares).toMatchObject([{ recipient: 'newcomer', state: 'parked' }])
  })

  it('gives a share to each person whom the command names', async () => {
    const tip = await invoiced({ to: ['bob', 'carol'], amount: '100' })
    expect(tip).toMatchObject({ total: 200_000n, missing: 200_000n })
    await paid(tip)
    expect((await tips())[0]?.shares.map(({ recipient, amount }) => [recipient, amount])).toEqual([
      ['bob', 100_000n],
      ['carol', 100_000n],
    ])
  })

  it('needs no confirmation beyond its invoice, even above the confirmation limit', async () => {
    const tip = await invoiced({ amount: '20000' })
    await paid(tip)
    expect(await world.available('bob')).toBe(20_000_000n)
  })

  it('is counted on the message’s card if it is for a message', async () => {
    const origin = { ...world.origin(), guild: 'guild' }
    const author = { id: 'bob', bot: false }
    const asked = { from: 'alice', message: '77', author, amount: '300', origin, announced: origin }
    const tip = (await world.tipping.invoicedTips.askForMessage(asked)) as InvoicedTipView
    await paid(tip)
    expect(await world.tipping.messageTips.view('77')).toMatchObject({ total: 300_000n, tips: 1, author: 'bob' })
  })

  it('is counted once if it was given by a reaction', async () => {
    await world.tipping.preferences.change({ member: 'alice', change: { reactionTip: sats(21) } })
    const origin = { ...world.origin('reaction 77 alice'), guild: 'guild' }
    const reaction = { from: 'alice', message: '77', author: { id: 'bob', bot: false }, origin, announced: origin }
    const react = () => world.tipping.invoicedTips.react(reaction)
    const tip = (await react()) as InvoicedTipView
    expect(await react()).toMatchObject({ deposit: tip.deposit })
    await paid(tip)
    expect(await react()).toMatchObject({ tips: 1, total: 21_000n })
  })
})

describe('an invoice for a tip', () => {
  it.each([
    [0, 'USD 5'],
    [200, undefined],
  ])('shows the typed value only if it covers the whole tip (balance: %i sats)', async (there, worth) => {
    if (there > 0) await world.fund('alice', there)
    const typed = command({})
    const tip = await world.tipping.invoicedTips.ask({ ...typed, origin: { ...typed.origin, asked: 'USD 5' } })
    if (!('missing' in tip)) throw new Error('no invoice was needed')
    const { card } = await world.tipping.deposits.view(tip.deposit)
    expect((await world.tipping.cards.get(card))?.origin?.asked).toBe(worth)
  })

  it('is not offered if the balance covers the tip, or if the amount is “half”', async () => {
    await world.fund('alice', 500)
    expect(await ask()).toMatchObject({ shares: [{ recipient: 'bob', state: 'credited' }] })
    await expect(ask({ amount: 'half' })).rejects.toMatchObject({ code: 'insufficient-funds' })
    expect(await world.database.read.invoicedTip.count()).toBe(0)
  })

  it.each([
    ['to its giver', { to: ['alice'] }, 'tip-to-self'],
    ['of an invalid amount', { amount: 'lots' }, 'amount-not-understood'],
    ['above the largest amount', { amount: '999999999' }, 'amount-too-large'],
  ])('is not offered for a tip %s', async (_, asked, code) => {
    await expect(ask(asked)).rejects.toMatchObject({ code })
    expect(await world.database.read.deposit.count()).toBe(0)
  })

  it('is not offered for amounts that the server’s limits forbid', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(300) } })
    await expect(ask()).rejects.toMatchObject({ code: 'limit-reached' })
    expect(await world.database.read.deposit.count()).toBe(0)
  })

  it('is the same for every delivery of the command', async () => {
    const [one, other] = await Promise.all([invoiced({ interaction: 'again' }), invoiced({ interaction: 'again' })])
    expect(other.deposit).toBe(one.deposit)
    await paid(one)
    expect(await ask({ interaction: 'again' })).toMatchObject({ from: 'alice', total: 500_000n, shares: [{}] })
    expect(await tips()).toHaveLength(1)
  })

  it('is replaced by a refusal that states the missing sats if none can be created', async () => {
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'No.' })
    await expect(ask()).rejects.toMatchObject({ code: 'insufficient-funds', facts: { missing: 500_000n } })
  })

  it('is refused if the giver has reached the limit of open invoices', async () => {
    for (let n = 1; n <= DEFAULT_SETTINGS.maxOpenDeposits; n += 1) await invoiced({ interaction: `${n}` })
    const facts = { most: DEFAULT_SETTINGS.maxOpenDeposits, balance: 0n, needed: 500_000n }
    await expect(ask()).rejects.toMatchObject({ code: 'too-many-unpaid-tips', facts })
  })

  it('has a limit of its own, apart from the limit of deposits', async () => {
    const open = (n: number) => world.tipping.deposits.open({ member: 'alice', amount: `${n}`, origin: world.origin() })
    for (let n = 1; n <= DEFAULT_SETTINGS.maxOpenDeposits; n += 1) await invoiced({ interaction: `${n}` })
    for (let n = 1; n <= DEFAULT_SETTINGS.maxOpenDeposits; n += 1) await open(n)
    await expect(open(6)).rejects.toMatchObject({ code: 'too-many-open-deposits' })
  })

  it('is refused once the bot’s wind-down is decided', async () => {
    await begin(world)
    await expect(ask()).rejects.toMatchObject({ code: 'winding-down' })
  })

  it('appears in a dry run as a question to the giver', async () => {
    const run = world.tipping.dryRun((api) => api.invoicedTips.ask(command({})))
    expect(await world.run(run)).toBe('asks')
    expect(await world.database.read.deposit.count()).toBe(0)
  })

  it('names the people whom a connected wallet cannot pay', async () => {
    await world.connected('alice')
    await world.connected('carol')
    expect(await invoiced({ to: ['bob', 'carol'] })).toMatchObject({ withoutWallet: ['bob'] })
    expect(await invoiced({ from: 'dave' })).toMatchObject({ withoutWallet: [] })
  })
})

describe('a payment for a tip that may no longer be possible', () => {
  it('stays in the balance if the server has lowered its limits', async () => {
    const tip = await invoiced()
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(300) } })
    await paid(tip)
    expect(await view(tip)).toMatchObject({ state: 'kept', because: 'limit-reached' })
    expect(await world.available('alice')).toBe(500_000n)
    expect(await tips()).toEqual([])
  })

  it('stays in the balance if the rest of the balance was spent', async () => {
    await world.fund('alice', 200)
    const tip = await invoiced()
    await world.tip('alice', 'carol', '150')
    await paid(tip)
    expect(await view(tip)).toMatchObject({ state: 'kept', because: 'insufficient-funds' })
    expect(await world.available('alice')).toBe(350_000n)
  })

  it('stays in the balance if it arrives late', async () => {
    const tip = await invoiced()
    await world.pass(61 * 60_000)
    const { request } = await world.tipping.deposits.view(tip.deposit)
    await world.tipping.hint(world.token(world.provider.chargeOf(request).callbackUrl))
    await world.settle()
    expect(await view(tip)).toMatchObject({ state: 'over' })
    await paid(tip)
    expect(await view(tip)).toMatchObject({ state: 'kept', because: 'late' })
    expect(await world.available('alice')).toBe(500_000n)
  })

  it.each([
    [1, 'sent', 0n],
    [3, 'kept', 500_000n],
  ])('is handled when the bot returns: after %i hours, the state of its tip is “%s”', async (hours, state, left) => {
    const tip = await invoiced()
    const { request } = await world.tipping.deposits.view(tip.deposit)
    await world.tipping.close()
    world.provider.payCharge(world.provider.chargeOf(request).id)
    await world.clock.advance(hours * 3_600_000)
    await world.start()
    await world.settle()
    expect(await view(tip)).toMatchObject({ state, ...(state === 'kept' && { because: 'late' }) })
    expect(await world.available('alice')).toBe(left)
  })

  it('stays in the balance if the balance has paid for the tip meanwhile', async () => {
    const tip = await invoiced({ interaction: 'again' })
    await world.fund('alice', 500)
    expect(await ask({ interaction: 'again' })).toMatchObject({ shares: [{ state: 'credited' }] })
    await paid(tip)
    expect(await view(tip)).toMatchObject({ state: 'kept', because: 'sent-before' })
    expect(await world.available('alice')).toBe(500_000n)
    expect(await world.available('bob')).toBe(500_000n)
  })

  it('stays in the balance of a giver who has deleted their data', async () => {
    const tip = await invoiced()
    await world.tipping.privacy.forget('alice')
    await paid(tip)
    expect(await tips()).toEqual([])
    expect(await world.available('alice')).toBe(500_000n)
  })

  it('becomes a tip to a newcomer if the recipient has deleted their data', async () => {
    const tip = await invoiced()
    await world.tipping.privacy.forget('bob')
    await paid(tip)
    expect((await tips())[0]?.shares).toMatchObject([{ recipient: 'bob', state: 'parked' }])
  })
})

describe('a large tip that is redelivered after its invoice was made', () => {
  const again = { amount: '20000', interaction: 'again' }
  const confirm = async () =>
    world.tipping.tips.confirm({ asked: 'again', member: 'alice', origin: world.origin() }).catch(() => undefined)

  it('is given once even if its giver’s balance covers it by then', async () => {
    const tip = await invoiced(again)
    await world.fund('alice', 20_000)
    expect(await ask(again)).toMatchObject({ deposit: tip.deposit, state: 'waiting' })
    await paid(tip)
    expect(await tips()).toHaveLength(1)
    expect(await world.available('bob')).toBe(20_000_000n)
  })

  it('asks for confirmation if its invoice can no longer be paid in time', async () => {
    const tip = await invoiced(again)
    await world.pass(2 * 3_600_000)
    await world.fund('alice', 20_000)
    expect(await ask(again)).toMatchObject({ asked: 'again' })
    await confirm()
    await paid(tip)
    expect(await view(tip)).toMatchObject({ state: 'kept', because: 'late' })
    expect(await world.available('bob')).toBe(20_000_000n)
  })
})

describe('a payment for a tip', () => {
  it('sends only one tip if it is made several times; the rest goes to the balance', async () => {
    const tip = await invoiced()
    await pay(tip)
    await paid(tip)
    await paid(tip)
    expect(await tips()).toHaveLength(1)
    expect(await world.available('bob')).toBe(500_000n)
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('sends one tip even if two bots read it simultaneously', async () => {
    const tip = await invoiced()
    const first = world.tipping
    await world.start()
    const { request } = await world.tipping.deposits.view(tip.deposit)
    const charge = world.provider.chargeOf(request)
    world.provider.payCharge(charge.id)
    const token = world.token(charge.callbackUrl)
    await Promise.all([first.hint(token), world.tipping.hint(token)])
    await Promise.all([world.run(first.settled()), world.settle()])
    expect(await tips()).toHaveLength(1)
    expect(await world.available('bob')).toBe(500_000n)
  })

  it.each(['before', 'after'] as const)('is not lost if the process dies just %s it is written', async (moment) => {
    const tip = await invoiced()
    const { request } = await world.tipping.deposits.view(tip.deposit)
    const charge = world.provider.chargeOf(request)
    await world.tipping.hint(world.token(charge.callbackUrl))
    await world.settle()
    world.provider.payCharge(charge.id)
    const died = world.dieAtCommit(1, moment)
    void world.tipping.audit()
    await world.run(died)
    await world.reborn()
    await world.run(world.tipping.audit())
    await world.settle()
    expect(await view(tip)).toMatchObject({ state: 'sent' })
    expect(await world.available('bob')).toBe(500_000n)
    expect(await world.available('alice')).toBe(0n)
    expect(await tips()).toHaveLength(1)
  })

  it('is read again, and sends its tip, after an outage of the database', async () => {
    const tip = await invoiced()
    const away = new Error('Connection terminated unexpectedly')
    const read = vi.spyOn(world.database.read.member, 'findMany').mockRejectedValueOnce(away)
    await paid(tip)
    expect(read).toHaveBeenCalled()
    await world.pass(60_000)
    expect(await view(tip)).toMatchObject({ state: 'sent' })
    expect(await world.available('bob')).toBe(500_000n)
  })

  it('is credited if its tip fails with an unforeseen error', async () => {
    const tip = await invoiced()
    await world.database.write.invoicedTip.update({ where: { id: tip.deposit }, data: { gift: '{"once":{}}' } })
    await paid(tip)
    expect(await view(tip).catch(() => 'unreadable')).toBe('unreadable')
    expect(await world.available('alice')).toBe(500_000n)
  })
})
