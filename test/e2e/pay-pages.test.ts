import { parse } from 'node-html-parser'
import { expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from './harness.ts'
import { buttonOf } from './shown-buttons.ts'

/** Follows a message's button "Open in wallet", as a phone that shows the message would. */
const open = (message: MessageView) => follow(link(message))

function link(message: MessageView): string {
  const buttons = [...everyComponent(message.components)] as unknown as { label: string; url?: string }[]
  return buttons.find(({ label }) => label === 'Open in wallet')?.url ?? ''
}

async function follow(url: string) {
  const answer = await fetch(url)
  const root = parse(await answer.text())
  const href = root.querySelector('a.button')?.getAttribute('href') ?? ''
  return {
    url,
    status: answer.status,
    code: href.replace(/^lightning:/, ''),
    said: root.querySelector('[role=status]')?.text,
  }
}

async function first(stage: Stage, who: string, path: string, values: Record<string, string>): Promise<MessageView> {
  const [message] = await stage.command(who, path, values)
  if (message === undefined) throw new Error('nothing was said')
  return message
}

it('a deposit can be paid on the phone showing it, and the deposit page then says so', async () => {
  const stage = await openStage()
  const card = await first(stage, 'alice', 'deposit', { amount: '5000' })
  expect(await stage.scan(card, 'deposit')).toMatch(/^LNBCRT/)
  const { url, code } = await open(card)
  expect(code).toMatch(/^lnbcrt/)
  const before = await (await fetch(`${url}/state`)).json()
  await stage.pay(code)
  await stage.sees('alice', /has arrived/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(5_000)
  expect(await (await fetch(`${url}/state`)).json()).not.toEqual(before)
  expect((await open(card)).said).toMatch(/^Paid\./)
})

it('`/balance` links to the page of every open deposit', async () => {
  const stage = await openStage()
  for (const amount of ['500', '600', '700', '800', '900']) await stage.command('alice', 'deposit', { amount })
  expect(textOf(await first(stage, 'alice', 'deposit', { amount: '1000' }))).toContain('/balance shows their codes.')
  const balance = textOf(await first(stage, 'alice', 'balance', {}))
  expect(balance).toContain('5 deposits are waiting to be paid.')
  const pages = [...balance.matchAll(/- \[(\d+) test sats\]\((\S+)\)/g)]
  expect(pages.map(([, amount]) => amount)).toEqual(['500', '600', '700', '800', '900'])
  await stage.pay((await follow(pages[2]?.[2] ?? '')).code)
  await stage.sees('alice', /has arrived/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(700)
  const after = textOf(await first(stage, 'alice', 'balance', {}))
  expect(after).toContain('4 deposits are waiting to be paid.')
  expect(after).not.toContain('[700 test sats]')
})

it('a deposit can be paid by its LNURL code instead of its invoice', async () => {
  const stage = await openStage()
  const card = await first(stage, 'alice', 'deposit', { amount: '700' })
  const [said] = await stage.press('alice', card, 'LNURL code instead')
  expect(said?.content).toMatch(/^lnurl1/i)
  await stage.pay(said?.content ?? '')
  await stage.sees('alice', /has arrived/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(700)
})

it('a member’s request for sats can be paid on the phone that shows the request', async () => {
  const stage = await openStage()
  await stage.command('bob', 'link', { wallet: 'bob' })
  const card = await first(stage, 'bob', 'invoice', { amount: '900' })
  const { code } = await open(card)
  await stage.pay(code)
  await stage.sees('bob', /have been paid/)
  expect((await open(card)).said).toMatch(/^Paid\./)
})

it('a voucher can be redeemed on the phone that shows it', async () => {
  const stage = await openStage()
  await stage.pay(await stage.scan(await first(stage, 'alice', 'deposit', { amount: '5000' }), 'deposit'))
  const card = await first(stage, 'alice', 'voucher create', { amount: '1000' })
  const [shown] = await stage.press('alice', card, 'Redeem with any wallet')
  if (shown === undefined) throw new Error('nothing was shown')
  const { code } = await open(shown)
  expect(code).toMatch(/^lnurl1/i)
  await stage.world.phone.claim(code)
  await stage.sees('alice', /Somebody has redeemed it/)
  expect((await follow(link(shown))).said).toMatch(/^This code was scanned/)
})

it('a withdrawal can be claimed on the phone that shows it', async () => {
  const stage = await openStage()
  await stage.pay(await stage.scan(await first(stage, 'alice', 'deposit', { amount: '5000' }), 'deposit'))
  const asked = await first(stage, 'alice', 'withdraw', { amount: '1000' })
  await stage.press('alice', asked, 'Show the code')
  const offered = await stage.sees('alice', /works once/)
  const { code } = await open(offered)
  expect(code).toMatch(/^lnurl1/i)
  await stage.world.phone.claim(code)
  await stage.sees('alice', /Withdrawal of 1,000[\s\S]*Paid/)
  const url = link(offered)
  expect((await follow(url)).said).toMatch(/^This code was scanned/)
})

it('a fundraiser’s page says how it ended, and how to give more', async () => {
  const stage = await openStage()
  const goal = { amount: '300', goal: '300' }
  const reached = await open(await first(stage, 'mod', 'pool fundraiser', goal))
  await stage.pay(reached.code)
  await stage.sees('mod', /The goal was reached/)
  const more = 'To give more, use /pool give on Discord.'
  expect((await follow(reached.url)).said).toBe(`The goal was reached. Thank you! ${more}`)
  const card = await first(stage, 'mod', 'pool fundraiser', goal)
  const closed = await open(card)
  const press = stage.person('mod').press(card.channelId, card.id, buttonOf(card, 'fundraiser-close') ?? '')
  await press.acknowledged()
  await stage.sees('mod', /Closed .* Thank you for what was given/)
  expect((await follow(closed.url)).said).toBe(`This fundraiser is closed. Thank you for what was given! ${more}`)
})

it('the page of a revoked voucher says to ask the person who sent the voucher', async () => {
  const stage = await openStage()
  await stage.pay(await stage.scan(await first(stage, 'alice', 'deposit', { amount: '5000' }), 'deposit'))
  const card = await first(stage, 'alice', 'voucher create', { amount: '1000' })
  const [shown] = await stage.press('alice', card, 'Redeem with any wallet')
  if (shown === undefined) throw new Error('nothing was shown')
  const [made] = await stage.world.bot.tipping.vouchers.mine(stage.id('alice'), 1)
  await stage.command('alice', 'voucher revoke', { voucher: made?.id ?? '' })
  expect((await follow(link(shown))).said).toMatch(/can no longer be used\. Ask the person who sent it to you/)
})
