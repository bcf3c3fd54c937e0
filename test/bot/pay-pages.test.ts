import { parse } from 'node-html-parser'
import { describe, expect, it } from 'vitest'
import { createPayPages } from '../../src/bot/bot.ts'
import { createQrPictures } from '../../src/lib/lightning/qr-pictures.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

const origin = { interaction: '1', guild: 'g', channel: '2', reply: '', locale: 'en' }

async function deposited(change: { state?: 'open' | 'paid' | 'closed'; invoice?: string } = {}, asked?: string) {
  const tipping = new FakeTipping()
  const view = await tipping.deposits.open({ member: '4', amount: '500', origin: { ...origin, asked } })
  tipping.change(view, { invoice: 'lnbc5u1invoice', ...change })
  const pages = createPayPages(() => tipping)
  const show = async (language?: string) => {
    const { found, page } = await pages.show(view.card, language)
    return { found, root: parse(page.text) }
  }
  return { tipping, view, pages, show }
}

describe('the page of a deposit', () => {
  it('has a button that opens the invoice in a wallet, and a QR code for other phones', async () => {
    const { show } = await deposited()
    const { found, root } = await show()
    expect(found).toBe(true)
    expect(root.querySelector('h1')?.text).toBe('Deposit 500 sats')
    expect(root.querySelector('a.button')?.getAttribute('href')).toBe('lightning:lnbc5u1invoice')
    expect(root.querySelector('img')?.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    expect(root.querySelectorAll('textarea').map(({ text }) => text)).toEqual([
      'lnbc5u1invoice',
      'LNURL1DP68GURN8GHJ7MR',
    ])
    // Nobody reads a code: one button copies it, and the texts are folded away.
    expect(root.querySelectorAll('[data-copy]').map((each) => each.getAttribute('data-copy'))).toEqual([
      'lnbc5u1invoice',
    ])
    expect(root.querySelectorAll('textarea').every((each) => each.closest('details') !== null)).toBe(true)
  })

  it('shows the value of the sats if a price is known', async () => {
    const { tipping, show } = await deposited()
    expect((await show()).root.querySelector('.worth')).toBeNull()
    tipping.fiatValue = (() => ({ currency: 'USD', value: 0.5, at: new Date(0) })) as never
    expect((await show()).root.querySelector('.worth')?.text).toBe('≈ $0.50')
  })

  it('shows a value in the currency that the member typed, not the default currency', async () => {
    const { tipping, show } = await deposited({}, 'EUR 0.40')
    tipping.fiatValue = (() => ({ currency: 'USD', value: 0.5, at: new Date(0) })) as never
    expect((await show('de')).root.querySelector('.worth')?.text).toBe('≈ 0,40\u00a0€')
  })

  it('uses the LNURL code if there is no invoice', async () => {
    const { tipping, view, show } = await deposited()
    tipping.change(view, { invoice: undefined })
    const { root } = await show()
    expect(root.querySelector('a.button')?.getAttribute('href')).toBe('lightning:LNURL1DP68GURN8GHJ7MR')
  })

  it('shows “Paid” instead of a code once the deposit is paid', async () => {
    const { tipping, view, pages, show } = await deposited()
    const before = await pages.state(view.card)
    expect((await show()).root.querySelector('main')?.getAttribute('data-state')).toBe(before)
    tipping.change(view, { state: 'paid' })
    expect(await pages.state(view.card)).not.toBe(before)
    const { root } = await show()
    expect(root.querySelector('[role=status]')?.text).toMatch(/^Paid\. /)
    expect(root.text).not.toMatch(/ln(bc|url)1/i)
  })

  it('says so if the deposit can no longer be paid', async () => {
    const { show } = await deposited({ state: 'closed' })
    expect((await show()).root.querySelector('[role=status]')?.text).toBe(
      'This code can no longer be used. Make a new one in Discord.',
    )
  })

  it('uses the member’s chosen language, or else the browser’s', async () => {
    const { tipping, show } = await deposited()
    expect((await show('xx, de-AT;q=0.9, en;q=0.8')).root.querySelector('h1')?.text).toBe('500 Sats einzahlen')
    tipping.preferences.languageOf = () => 'fr'
    expect((await show('de')).root.querySelector('html')?.getAttribute('lang')).toBe('fr')
  })
})

describe('the page of a request to everybody', () => {
  const asked = async (discord: Parameters<typeof createPayPages>[1] = {}) => {
    const tipping = new FakeTipping()
    const view = await tipping.deposits.open({ member: '4', amount: '500', origin })
    tipping.change(view, { asking: { note: 'Pizza <b>' }, invoice: 'lnbc5u1invoice' })
    const { page } = await createPayPages(() => tipping, discord).show(view.card, 'en')
    return parse(page.text)
  }

  it('names the requester and the purpose', async () => {
    const root = await asked({ nameOf: async () => ({ shown: 'Bob <i>', username: 'bob' }) })
    expect(root.querySelector('h1')?.text).toBe('Bob <i> (@bob) asks for 500 sats')
    expect(root.querySelector('.note q')?.text).toBe('Pizza <b>')
    expect(root.querySelector('[data-copy]')?.text).toBe('Copy the code')
  })

  it('shows no name if Discord knows none', async () => {
    const root = await asked({ nameOf: async () => undefined })
    expect(root.querySelector('h1')?.text).toBe('Pay 500 sats')
  })
})

it('a QR code is drawn only once for a page that is opened several times', async () => {
  const { tipping, view } = await deposited()
  const drawn: string[] = []
  const draw = async (text: string) => {
    drawn.push(text)
    return Buffer.from(text)
  }
  const pages = createPayPages(() => tipping, {}, createQrPictures(draw))
  for (let i = 0; i < 3; i += 1) expect((await pages.show(view.card, undefined)).found).toBe(true)
  expect(drawn).toEqual(['lightning:lnbc5u1invoice'])
})

describe('a payment page', () => {
  it.each(['nothing', '0190f3a1-0000-7000-8000-000000000000', '../status'])(
    'is not found for the id “%s”',
    async (card) => {
      const { pages } = await deposited()
      expect(await pages.state(card)).toBeUndefined()
      const { found, page } = await pages.show(card, undefined)
      expect(found).toBe(false)
      expect(page.text).toContain('There is nothing at this address. Open the newest message in Discord again.')
      expect(parse(page.text).querySelector('h1')?.text).toBe('Page not found')
      expect(pages.missing('de').text).toContain('Unter dieser Adresse ist nichts zu finden.')
    },
  )

  it('does not exist for a tip', async () => {
    const { tipping, pages } = await deposited()
    const tip = await tipping.tips.send({ from: '4', to: [{ id: '5', bot: false }], amount: '5', origin })
    expect(await pages.state(tip.card)).toBeUndefined()
  })

  it('does not exist before tipping has started', async () => {
    const pages = createPayPages(() => undefined)
    expect((await pages.show('0190f3a1-0000-7000-8000-000000000000', undefined)).found).toBe(false)
  })
})

describe('the page of a request that others pay', () => {
  it('shows the invoice of the request', async () => {
    const tipping = new FakeTipping()
    const { card } = await tipping.invoices.create({ member: '4', amount: '700', origin })
    const { page } = await createPayPages(() => tipping).show(card, undefined)
    const root = parse(page.text)
    expect(root.querySelector('h1')?.text).toBe('Pay 700 sats')
    expect(root.querySelectorAll('textarea').map(({ text }) => text)).toEqual(['lnbcrt1invoice'])
  })

  it('tells the payer of a closed request to ask for a new request', async () => {
    const tipping = new FakeTipping()
    const view = await tipping.deposits.open({ member: '4', amount: '500', origin })
    tipping.change(view, { asking: { note: '' }, state: 'closed' })
    const { page } = await createPayPages(() => tipping).show(view.card, 'en')
    expect(parse(page.text).querySelector('[role=status]')?.text).toMatch(
      /Ask the person who sent it to you for a new one/,
    )
  })
})
