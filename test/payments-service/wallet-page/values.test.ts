import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { createTranslators } from '../../../src/payments-service/wallet-page/i18n/translator.ts'
import { descriptionIn, giftIn, giverIn, receiverIn } from '../../../src/payments-service/wallet-page/other-person.ts'
import { ServiceWorld } from '../harness.ts'
import { signedIn, words } from './browser.ts'

/** Starts a source of prices at which a bitcoin costs 100,000 dollars and 80,000 euros. */
async function prices(): Promise<string> {
  const server = createServer((_, response) => response.end('{"USD":100000,"EUR":80000}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Opens a world with alice, to whom Bob has given 2,000 sats through a community's bot. */
async function begin(ratesUrl: string | undefined) {
  const world = await ServiceWorld.open({ settings: { ratesUrl } })
  onTestFinished(() => world.close())
  const { client } = await world.project()
  const alice = await signedIn(world, 'Alice')
  await client.payToGamertag({ gamertag: 'alice', amount: sats(2_000), description: 'Tip from Bob: well done' })
  if (ratesUrl !== undefined) await world.until(async () => world.service.parts.prices.quote('USD') !== undefined)
  const open = async (language: string, path = '/wallet') => {
    const headers = { cookie: alice.browser.cookie ?? '', 'accept-language': language }
    return await (await fetch(world.url + path, { headers })).text()
  }
  return { world, client, alice, open }
}

describe('the wallet page with prices in fiat currencies', () => {
  it('shows the values of sats in the reader’s currency, or else in the operator’s', async () => {
    const { open } = await begin(await prices())
    for (const path of ['/wallet', '/wallet/history']) {
      expect(await open('en-US', path)).toMatch(/≈\u00a0\$2\.00[\s\S]*≈ is the value at today/)
      expect(await open('de', path)).toMatch(/≈\u00a01,60\u00a0€[\s\S]*zum heutigen Kurs/)
      expect(await open('en-IE,en;q=0.9', path)).toContain('≈\u00a0€1.60')
      expect(await open('ja', path)).toContain('≈\u00a0$2.00')
    }
  })

  it('shows the value of a payment before it is sent', async () => {
    const { world, alice } = await begin(await prices())
    await signedIn(world, 'Carol')
    await alice.browser.open('/wallet/send')
    const asked = await alice.browser.submit('/wallet/send', { to: '@carol', amount: '500', note: '' })
    expect(words(asked)).toMatch(/500 test sats ≈ \$0\.50/)
  })

  it('accepts amounts in other currencies for sending and receiving', async () => {
    const { world, alice } = await begin(await prices())
    await signedIn(world, 'Carol')
    await alice.browser.open('/wallet/send')
    expect(words(await alice.browser.submit('/wallet/send', { to: '@carol', amount: '$0.50' }))).toMatch(
      /^.*500 test sats ≈/,
    )
    await alice.browser.open('/wallet/receive')
    expect(words(await alice.browser.submit('/wallet/receive', { amount: '0,80 €', note: '' }))).toMatch(
      /1,000 test sats ≈ \$1\.00/,
    )
    await alice.browser.open('/wallet/receive')
    const unknown = await alice.browser.submit('/wallet/receive', { amount: '5 CHF', note: '' })
    expect(words(unknown)).toContain('No exchange rate is known here')
  })

  it('refuses an amount worth less than 1 sat before the confirmation', async () => {
    const { world, alice } = await begin(await prices())
    await signedIn(world, 'Carol')
    await alice.browser.open('/wallet/send')
    const asked = await alice.browser.submit('/wallet/send', { to: '@carol', amount: '$0.0009' })
    expect(words(asked)).toContain('Lightning carries 1 sat or more; this is 0 test sats')
  })

  it('shows only sats if it has no prices or only old prices', async () => {
    const { open } = await begin(undefined)
    expect(await open('en-US')).not.toMatch(/≈|today's price/)
    const old = await begin(await prices())
    old.world.clock.jump(11 * 60_000)
    expect(await old.open('en-US')).not.toMatch(/≈|today's price/)
  })
})

describe('the wallet’s history', () => {
  it('shows a tip with its giver and the community whose bot paid', async () => {
    const { alice } = await begin(undefined)
    expect(words(await alice.browser.open('/wallet'))).toMatch(/Tip from Bob ?well done.* · test/)
    const [link] = alice.browser.page?.root.querySelectorAll('.history a') ?? []
    const receipt = words(await alice.browser.open(link?.getAttribute('href') ?? ''))
    expect(receipt).toMatch(/Received: 2,000 test sats well done.*From Bob · test/)
  })

  it('shows a gift without a giver as the community’s, in the reader’s language', async () => {
    const { alice, client } = await begin(undefined)
    await client.payToGamertag({ gamertag: 'alice', amount: sats(100), description: 'A share of a drop' })
    expect(words(await alice.browser.open('/wallet'))).toMatch(/A share of a drop.* · test/)
    expect(words(await alice.browser.open('/wallet'))).not.toContain('Tip from test')
    await alice.browser.post('/wallet/language', { language: 'ar', here: '/wallet' })
    const arabic = await alice.browser.open('/wallet')
    expect(words(arabic)).toContain('حصة من توزيع')
    expect(words(arabic)).not.toContain('drop')
    const [link] = arabic.root.querySelectorAll('.history a')
    expect(words(await alice.browser.open(link?.getAttribute('href') ?? ''))).toContain('حصة من توزيع')
  })

  it.each([
    ['A share of a drop', 'items.dropShare', ''],
    ['Won in a giveaway', 'items.prize', ''],
    ['Claimed tips', 'items.claimed', ''],
    ['Reward: Soup: hot', 'items.reward', 'Soup: hot'],
  ])('reads the comment “%s” as the gift %s', (comment, what, note) => {
    expect(giftIn(comment)).toEqual({ what, note })
  })

  it.each(['toString', 'a share of a drop'])('finds no gift in the comment “%s”', (comment) => {
    expect(giftIn(comment)).toBeUndefined()
  })

  it.each([
    ['A share of a drop', 'حصة من توزيع'],
    ['Reward: best meme', 'Reward: best meme'],
    ['coffee', 'coffee'],
  ])('shows the voucher description “%s” as “%s”', (description, shown) => {
    expect(descriptionIn(createTranslators()('ar'), description)).toBe(shown)
  })

  it('shows the user who paid, with the note unchanged, if no community paid', async () => {
    const { world, alice } = await begin(undefined)
    const carol = await signedIn(world, 'Carol')
    await alice.browser.open('/wallet/send')
    await alice.browser.submit('/wallet/send', { to: '@carol', amount: '500', note: 'Tip from Satoshi: hello' })
    await alice.browser.submit('/wallet/send/user')
    expect(words(await carol.browser.open('/wallet'))).toMatch(/Tip from Alice ?Tip from Satoshi: hello/)
  })

  it.each([
    ['Tip from Alice', 'Alice', ''],
    ['Tip from Alice: for: all', 'Alice', 'for: all'],
    ['Tip from אבי: תודה\nרבה', 'אבי', 'תודה\nרבה'],
  ])('reads the comment “%s” as a tip from %s', (comment, name, note) => {
    expect(giverIn(comment)).toEqual({ name, note })
  })

  it.each(['Tip', 'Tip: from me', `Tip from ${'x'.repeat(65)}`, 'a Tip from Alice'])(
    'finds no giver in the comment “%s”',
    (comment) => {
      expect(giverIn(comment)).toBeUndefined()
    },
  )

  it.each([
    ['bob@example.com', 'bob@example.com', ''],
    ['bob@example.com: thanks: a lot', 'bob@example.com', 'thanks: a lot'],
    ['₿bob@example.com: hi', '₿bob@example.com', 'hi'],
    ['bob@127.0.0.1:8080: hi', 'bob@127.0.0.1:8080', 'hi'],
  ])('reads the description “%s” as a payment to %s', (description, name, note) => {
    expect(receiverIn(description)).toEqual({ name, note })
  })

  it.each(['mail bob@example.com', 'pizza', ''])('finds no receiver in the description “%s”', (description) => {
    expect(receiverIn(description)).toBeUndefined()
  })
})
