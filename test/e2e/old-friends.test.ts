import { expect, it, onTestFinished } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { PlainProvider } from '../support/plain-provider.ts'
import { balance, openStage } from './harness.ts'

/** Opens a world whose bot reaches the service only through its public interface; alice has 10,000 sats. */
async function begin(): Promise<{ stage: Stage; provider: PlainProvider }> {
  let service = ''
  const provider = await PlainProvider.open(() => service)
  const stage = await openStage({
    providerUrl: (serviceUrl) => {
      service = serviceUrl
      return provider.url
    },
  })
  onTestFinished(() => provider.close())
  const deposit = must(await stage.command('alice', 'deposit', { amount: '10000' }))
  await stage.pay(await stage.scan(deposit, 'deposit'))
  await stage.sees('alice', /10,000 test sats\*\* has arrived/)
  return { stage, provider }
}

function must([message]: readonly MessageView[]): MessageView {
  if (message === undefined) throw new Error('there is no message')
  return message
}

it('sats enter, circulate and leave through a provider with only the bare interface', async () => {
  const { stage, provider } = await begin()
  await stage.command('bob', 'link', { wallet: 'bob' })
  const before = await stage.holds('service', 'wallet', 'bob')
  stage.mustSay(await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' }), /in the wallet/)
  expect(await stage.holds('service', 'wallet', 'bob')).toBe(before + 500)

  const card = must(await stage.command('alice', 'voucher drop', { amount: '300', shares: 3 }))
  stage.mustSay(await stage.press('carol', card, 'Take a share'), /100 test sats/)

  const { invoice } = await stage.world.phone.invoice(1_000_000n)
  const asked = must(await stage.command('alice', 'withdraw', { amount: '1000', to: invoice }))
  await stage.press('alice', asked, 'Send it')
  await stage.sees('alice', /Withdrawal of 1,000[\s\S]*Paid/)

  const toScan = must(await stage.command('carol', 'withdraw', { amount: 'all' }))
  await stage.press('carol', toScan, 'Show the code')
  const offered = await stage.sees('carol', /works once/)
  await stage.world.phone.claim(await stage.scan(offered, 'withdrawal'))
  await stage.sees('carol', /Withdrawal of 90[\s\S]*Paid/)

  const fundraiser = must(await stage.command('mod', 'pool fundraiser', { amount: '200', goal: '400' }))
  await stage.pay(await stage.scan(fundraiser, 'pool'))
  await stage.until('the pool has it', async () => (await poolOf(stage)) === 200)
  expect(provider.refused).toEqual([])
  expect(provider.asked.some((request) => request.startsWith('POST /v0/withdrawal-requests'))).toBe(true)
})

async function poolOf(stage: Stage): Promise<number> {
  const book = (await stage.world.books()).find(({ side }) => side === 'bot')
  return Number(book?.accounts.find(({ kind }) => kind === 'pool')?.balance ?? 0n) / 1_000
}

it('an invoice that the bot cannot look up is reported as paid, but not credited', async () => {
  const { stage } = await begin()
  await stage.command('bob', 'link', { wallet: 'bob' })
  const card = must(await stage.command('bob', 'invoice', { amount: '700' }))
  await stage.pay(await stage.scan(card, 'invoice'))
  await stage.sees('carol', /reported|says that it was paid|says it was paid/i)
  expect(await balance(stage, 'bob')).toBe(0)
})

it('features that a bare provider lacks are hidden or refused with an explanation', async () => {
  const { stage, provider } = await begin()
  const explained = /not available here[\s\S]*Lightning service behind this bot/
  stage.mustSay(await stage.command('alice', 'voucher create', { amount: '100' }), explained)
  stage.mustSay(await stage.command('alice', 'voucher list'), explained)
  stage.mustSay(await stage.command('alice', 'voucher redeem', { code: 'ABCDEFGH' }), explained)
  const codes = { amount: '300', shares: 3, codes: true }
  stage.mustSay(await stage.command('alice', 'voucher drop', codes), explained)
  stage.mustSay(await stage.command('alice', 'address'), explained)
  const help = await stage.command('alice', 'help', { topic: 'deposits' })
  expect(help.map(textOf).join()).not.toContain('/address')
  expect(await balance(stage)).toBe(10_000)
  const asked = provider.asked.filter((request) => /voucher|payments\/\d/.test(request))
  expect(asked).toEqual([])
})
