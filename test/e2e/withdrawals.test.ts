import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { balance, openFundedStage, openStage } from './harness.ts'

async function outside(stage: Stage): Promise<number> {
  return Number((await stage.world.phone.wallet()).balance) / 1_000
}

describe('the command /withdraw', () => {
  it('after the member confirms, shows a code with which any wallet can claim the sats', async () => {
    const stage = await openFundedStage()
    const before = await outside(stage)
    const [asked] = await stage.command('alice', 'withdraw', { amount: '2k' })
    expect(must(asked).ephemeral).toBe(true)
    expect(textOf(must(asked))).toMatch(/2,000 test sats[\s\S]*fee is at most 20 test sats/)
    expect(await balance(stage)).toBe(10_000)
    await stage.press('alice', must(asked), 'Show the code')
    const offered = await stage.sees('alice', /works once/)
    expect(offered.id).toBe(must(asked).id)
    expect(await balance(stage)).toBe(7_980)
    await stage.world.phone.claim(await stage.scan(offered, 'withdrawal'))
    await stage.sees('alice', /Withdrawal of 2,000[\s\S]*Paid .*The fee was/)
    expect((await outside(stage)) - before).toBe(2_000)
    const spent = 10_000 - (await balance(stage))
    expect(spent).toBeGreaterThan(2_000)
    expect(spent).toBeLessThanOrEqual(2_020)
  })

  it('returns the sats and refuses claims after the member cancels the code', async () => {
    const stage = await openFundedStage()
    const [asked] = await stage.command('alice', 'withdraw', { amount: '2k' })
    await stage.press('alice', must(asked), 'Show the code')
    const offered = await stage.sees('alice', /works once/)
    const code = await stage.scan(offered, 'withdrawal')
    const said = await stage.press('alice', offered, 'Cancel')
    expect(said.map(textOf).join('')).toMatch(/The code is void now/)
    await stage.sees('alice', /everything is back in your balance: nobody used the code/)
    expect(await balance(stage)).toBe(10_000)
    await expect(stage.world.phone.claim(code)).rejects.toThrow()
  })

  it('pays an invoice, and shows the cost', async () => {
    const stage = await openFundedStage()
    const { invoice } = await stage.world.phone.invoice(500_000n)
    const [asked] = await stage.command('alice', 'withdraw', { amount: '500', to: invoice })
    await stage.press('alice', must(asked), 'Send it')
    await stage.sees('alice', /Withdrawal of 500[\s\S]*Paid .*The fee was/)
    expect((await stage.world.phone.history())[0]).toMatchObject({ direction: 'in', amount: 500_000n })
  })

  it('pays a Lightning Address at the bot’s own service without a fee', async () => {
    const stage = await openFundedStage()
    const to = `bob@${new URL(stage.world.service.url).host}`
    const [asked] = await stage.command('alice', 'withdraw', { amount: '700', to })
    expect(textOf(must(asked))).toContain(to)
    await stage.press('alice', must(asked), 'Send it')
    await stage.sees('alice', /Withdrawal of 700[\s\S]*without a fee/)
    expect(await stage.holds('service', 'wallet', 'bob')).toBe(700)
    expect(await balance(stage)).toBe(9_300)
  })

  it('takes a wallet’s name, or an amount and address together, and explains errors', async () => {
    const stage = await openFundedStage()
    const [asked] = await stage.command('alice', 'withdraw', { amount: '700', to: 'bob' })
    expect(textOf(must(asked))).toMatch(/goes to the wallet \*\*bob\*\*[\s\S]*not a Discord name[\s\S]*no fee/)
    expect(await balance(stage)).toBe(10_000)
    await stage.press('alice', must(asked), 'Send it')
    await stage.sees('alice', /Withdrawal of 700[\s\S]*without a fee/)
    expect(await stage.holds('service', 'wallet', 'bob')).toBe(700)
    const said = await stage.command('alice', 'withdraw', { amount: '700', to: 'nobody' })
    stage.mustSay(said, /No wallet is called “nobody”[\s\S]*spelling[\s\S]*Lightning Address/)
    expect(await balance(stage)).toBe(9_300)
    // What people type in one go is in the first option.
    const inOneGo = async (amount: string) => textOf(must((await stage.command('alice', 'withdraw', { amount }))[0]))
    const address = `bob@${new URL(stage.world.service.url).host}`
    expect(await inOneGo(`1 000 ${address}`)).toMatch(/Withdrawal of 1,000[\s\S]*bob@/)
    expect(await inOneGo('50 bc1qar0srrr7xfkvy5l643lydnw9re59gtzz')).toContain('is a Bitcoin address')
    expect(await inOneGo(`${address} 1 000`)).toMatch(/Withdrawal of 1,000[\s\S]*bob@/)
    expect(await inOneGo(`5 thanks ${address}`)).toContain('“5 thanks” has words after the amount')
    expect(await inOneGo(`200% ${address}`)).toContain('“200%” is more than the whole balance')
    expect(await inOneGo(`5 ${address} 3`)).toContain('I could not read')
  })

  it('sends everything except the fee if `all` is requested', async () => {
    const stage = await openFundedStage()
    const [asked] = await stage.command('alice', 'withdraw', { amount: 'all' })
    expect(textOf(must(asked))).toMatch(/Withdrawal of 9,900[\s\S]*You cannot send more: the rest is for the fee/)
    await stage.press('alice', must(asked), 'Show the code')
    await stage.world.phone.claim(await stage.scan(await stage.sees('alice', /works once/), 'withdrawal'))
    await stage.sees('alice', /Withdrawal of 9,900[\s\S]*Paid/)
  })

  it('is refused if the amount or the destination is wrong, and no sats move', async () => {
    const stage = await openFundedStage()
    const { invoice } = await stage.world.phone.invoice(600_000n)
    const said = await stage.command('alice', 'withdraw', { amount: '500', to: invoice })
    stage.mustSay(said, /asked for \*\*500[\s\S]*invoice is for \*\*600[\s\S]*`600`/)
    stage.mustSay(await stage.command('alice', 'withdraw', { amount: '9,950' }), /fee[\s\S]*`all`/)
    stage.mustSay(await stage.command('alice', 'withdraw', { amount: '500', to: 'my wallet' }), /neither/)
    const nobody = `nobody@${new URL(stage.world.service.url).host}`
    stage.mustSay(await stage.command('alice', 'withdraw', { amount: '500', to: nobody }), /refused the payment: “/)
    expect(await balance(stage)).toBe(10_000)
  })

  it('can be cancelled, which removes the button that confirms it', async () => {
    const stage = await openFundedStage()
    const [asked] = await stage.command('alice', 'withdraw', { amount: '500' })
    await stage.press('alice', must(asked), 'Cancel')
    const over = await stage.sees('alice', /Cancelled/)
    expect(over.id).toBe(must(asked).id)
    expect(over.components).toEqual([])
    expect(await balance(stage)).toBe(10_000)
  })

  it.concurrent.each([
    ['settle', /Paid/, 1],
    ['fail', /everything is back/, 0],
  ] as const)('says how a payment ended after the recipient’s node had hung: %s', async (outcome, words, arrived) => {
    const stage = await openFundedStage()
    const { invoice } = await stage.world.phone.invoice(500_000n)
    const [asked] = await stage.command('alice', 'withdraw', { amount: '500', to: invoice })
    await stage.world.phone.misbehave('hang')
    const pressed = stage.press('alice', must(asked), 'Send it')
    await stage.sees('alice', /On its way/)
    expect(await balance(stage)).toBe(9_490)
    await pressed
    await stage.world.phone.release(outcome)
    await stage.sees('alice', new RegExp(`Withdrawal of 500[\\s\\S]*${words.source}`))
    expect((await stage.world.phone.history()).filter(({ direction }) => direction === 'in')).toHaveLength(arrived)
    if (arrived === 0) expect(await balance(stage)).toBe(10_000)
  })

  it('keeps a shown code and an open question across a restart', async () => {
    const stage = await openFundedStage()
    const [first] = await stage.command('alice', 'withdraw', { amount: '1000' })
    await stage.press('alice', must(first), 'Show the code')
    const code = await stage.scan(await stage.sees('alice', /works once/), 'withdrawal')
    const { invoice } = await stage.world.phone.invoice(500_000n)
    const [second] = await stage.command('alice', 'withdraw', { amount: '500', to: invoice })
    await stage.world.bot.kill()
    await stage.world.phone.claim(code)
    await stage.world.bot.start()
    await stage.press('alice', must(second), 'Send it')
    await stage.sees('alice', /Withdrawal of 1,000[\s\S]*Paid/)
    await stage.sees('alice', /Withdrawal of 500[\s\S]*Paid/)
  })
})

describe('a request for sats', () => {
  it('can be paid by anybody, and fills the balance of a member with no linked account', async () => {
    const stage = await openStage()
    const [card] = await stage.command('bob', 'invoice', { amount: '1200', description: 'lunch' })
    expect(must(card).ephemeral).toBe(false)
    expect(textOf(must(card))).toMatch(
      /asks for \*\*1,200 test sats\*\*[\s\S]*> lunch[\s\S]*It goes to Bob's Discord balance/,
    )
    const [code] = await stage.press('carol', must(card), 'Copy the code')
    expect(must(code)).toMatchObject({ ephemeral: true })
    expect(must(code).content).toMatch(/^lnbcrt1/)
    await stage.pay(must(code).content)
    await stage.sees('carol', /asks for \*\*1,200[\s\S]*✅ Paid/)
    await stage.sees('bob', /1,200 test sats[\s\S]*arrived/)
    expect(await balance(stage, 'bob')).toBe(1_200)
  })

  it('is paid only once even if a member presses its button twice', async () => {
    const stage = await openFundedStage()
    await stage.command('bob', 'link', { wallet: 'bob' })
    const [request] = await stage.command('bob', 'invoice', { amount: '1000', description: 'lunch' })
    const own = await stage.press('bob', must(request), 'Pay from my balance')
    expect(own.map(textOf).join()).toMatch(/your own request/)
    const press = () => stage.press('alice', must(request), 'Pay from my balance')
    await Promise.all([press(), press()])
    await stage.sees('alice', /Payment of 1,000[\s\S]*without a fee/)
    await stage.sees('carol', /1,000.*have been paid to/)
    expect(await stage.holds('service', 'wallet', 'bob')).toBe(1_000)
    expect(await balance(stage)).toBe(9_000)
  })

  it('is paid only after a confirmation if its amount is large', async () => {
    const stage = await openFundedStage(50_000)
    await stage.command('bob', 'link', { wallet: 'bob' })
    const [request] = await stage.command('bob', 'invoice', { amount: '20000' })
    const [asked] = await stage.press('alice', must(request), 'Pay from my balance')
    expect(textOf(must(asked))).toMatch(/20,000[\s\S]*request of[\s\S]*no fee/)
    expect(await balance(stage)).toBe(50_000)
    await stage.press('alice', must(asked), 'Send it')
    await stage.sees('alice', /Payment of 20,000[\s\S]*Paid/)
    expect(await balance(stage)).toBe(30_000)
  })
})

describe('amounts in another currency', () => {
  it('are accepted if a current price is known, and shown with the time of the price', async () => {
    const prices = createServer((_, response) => response.end('{"rates":{"USD":"50000"}}'))
    await new Promise<void>((resolve) => prices.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void prices.close())
    const { port } = prices.address() as AddressInfo
    const stage = await openFundedStage(10_000, { ratesUrl: `http://127.0.0.1:${port}/` })
    stage.mustSay(await stage.command('alice', 'balance'), /10,000 test sats[\s\S]*≈ \$5\.00 · price of \d{4}-/)
    const asked = await stage.command('alice', 'withdraw', { amount: '$1' })
    stage.mustSay(asked, /Withdrawal of 2,000[\s\S]*≈ \$1\.00/)
    stage.mustSay(
      await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '5 eur' }),
      /no current price for EUR/,
    )
  })
})
