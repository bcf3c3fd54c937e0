import { expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { Browser, words } from '../payments-service/wallet-page/browser.ts'
import { openFundedStage, openStage } from './harness.ts'

async function ask(stage: Stage, who: string): Promise<MessageView> {
  const [message] = await stage.command(who, 'wallet')
  if (message === undefined) throw new Error('nothing was said')
  return message
}

/** Returns the path in the link of the button "Open my wallet". */
function pathIn(message: MessageView): string {
  const buttons = [...everyComponent(message.components)] as unknown as { label: string; url?: string }[]
  const url = buttons.find(({ label }) => label === 'Open my wallet')?.url ?? ''
  return url.slice(new URL(url).origin.length)
}

const UNUSABLE = /already been used, or it has expired/

it('/wallet opens a wallet named after the member, and a button links the wallet', async () => {
  const stage = await openFundedStage(2_000)
  const card = await ask(stage, 'newcomer')
  expect(card.ephemeral).toBe(true)
  expect(textOf(card)).toMatch(/I opened a Lightning wallet for you[\s\S]*stay in your Discord balance/)
  const linked = await stage.press('newcomer', card, 'Send my tips to the wallet newcomer')
  expect(linked.map(textOf).join('')).toMatch(/From now on your tips go to/)
  await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '700' })
  await stage.world.settled()
  const browser = new Browser(stage.world.service)
  await browser.open(pathIn(card))
  expect(words(await browser.submit('/wallet/sign-in'))).toMatch(/Your balance\D*700/)
  expect(textOf(await ask(stage, 'newcomer'))).toMatch(/Your wallet is called[\s\S]*Your tips go there/)
})

it('/wallet moves a Discord balance into the member’s wallet after a confirmation', async () => {
  const stage = await openFundedStage(700)
  const card = await ask(stage, 'alice')
  expect(textOf(card)).toContain('You also have **700 test sats** in your Discord balance')
  const [question] = await stage.press('alice', card, 'Move my balance to the wallet alice')
  if (question) await stage.press('alice', question, 'Send it')
  await stage.until('the balance has moved', async () => (await stage.holds('bot', 'member', 'alice')) === 0)
  const browser = new Browser(stage.world.service)
  await browser.open(pathIn(card))
  expect(words(await browser.submit('/wallet/sign-in'))).toMatch(/Your balance\D*700/)
  expect(JSON.stringify(await ask(stage, 'alice'))).not.toContain('Move my balance')
})

it('/wallet says where tips go if the member has linked a different account', async () => {
  const stage = await openStage()
  await stage.command('bob', 'wallet')
  await stage.command('alice', 'link', { wallet: `bob@${new URL(stage.world.service.url).host}` })
  expect(textOf(await ask(stage, 'alice'))).toMatch(/Your tips go on to \*\*bob@/)
})

it('a wallet sign-in link is for one member, works once, and voids the previous link', async () => {
  const stage = await openStage()
  const alices = pathIn(await ask(stage, 'alice'))
  const bobs = pathIn(await ask(stage, 'bob'))
  const names = await Promise.all(
    [alices, bobs].map(async (path) => words(await new Browser(stage.world.service).open(path))),
  )
  expect(new Set(names.map((text) => /Open the wallet of (\S+)/.exec(text)?.[1])).size).toBe(2)
  // Nobody but the asker has seen it.
  const others = stage.person('bob').conversation(stage.channel())
  expect(JSON.stringify(others)).not.toContain(alices)
  const browser = new Browser(stage.world.service)
  await browser.open(alices)
  const form = browser.fieldsOf('/wallet/sign-in')
  await browser.submit('/wallet/sign-in')
  const thief = new Browser(stage.world.service)
  expect(words(await thief.post('/wallet/sign-in', form))).toMatch(UNUSABLE)
  const second = pathIn(await ask(stage, 'bob'))
  expect(words(await new Browser(stage.world.service).open(bobs))).toMatch(UNUSABLE)
  expect(words(await new Browser(stage.world.service).open(second))).toContain('Open the wallet of')
})

it('simultaneous requests for a wallet by one member create only one wallet', async () => {
  const stage = await openStage()
  await Promise.all(Array.from({ length: 4 }, () => ask(stage, 'carol')))
  const users = await stage.world.service.administration().listUsers()
  expect(users.filter(({ gamertag }) => gamertag.startsWith('carol'))).toHaveLength(1)
})

it('linking a gamertag needs its owner’s code, and a newer code ends a wrong link', async () => {
  const stage = await openStage()
  const service = stage.world.service.administration()
  const { userId } = await service.createUser('alices-own')
  const [refused] = await stage.command('bob', 'link', { wallet: 'alices-own' })
  expect(refused && textOf(refused)).toMatch(/Show me that “alices-own” is yours/)
  const [wrong] = await stage.command('bob', 'link', { wallet: 'alices-own', code: 'AAAA-BBBB-CCCC' })
  expect(wrong && textOf(wrong)).toMatch(/does not belong to “alices-own”/)
  expect((await stage.world.bot.tipping.balances.view(stage.id('bob'))).link).toBeUndefined()
  // A code that somebody was talked out of.
  const lost = await service.linkCode(userId)
  await stage.command('bob', 'link', { wallet: 'alices-own', code: lost.code })
  const { code } = await service.linkCode(userId)
  const [linked] = await stage.command('alice', 'link', { wallet: 'alices-own', code })
  expect(linked && textOf(linked)).toMatch(/From now on your tips go to \*\*alices-own/)
  const holders = await Promise.all(['alice', 'bob'].map((who) => stage.world.bot.tipping.balances.view(stage.id(who))))
  expect(holders.map(({ link }) => link?.lightningId)).toEqual([userId, undefined])
  expect(textOf(await stage.sees('bob', /no longer go to/))).toMatch(/\*\*alices-own\*\*[\s\S]*`?\/link/)
})

it('an operator can free a linked account, and the member is told where tips now go', async () => {
  const stage = await openStage()
  const service = stage.world.service.administration()
  const { userId } = await service.createUser('carols-own')
  const { code } = await service.linkCode(userId)
  await stage.command('bob', 'link', { wallet: 'carols-own', code })
  const free = (gamertag: string) =>
    stage.command('lounge-owner', 'admin unlink', { wallet: gamertag, reason: 'carol has shown that it is hers' })
  stage.mustSay(await free('carols-own'), /carols-own\*\* is free/)
  expect((await stage.world.bot.tipping.balances.view(stage.id('bob'))).link).toBeUndefined()
  expect(textOf(await stage.sees('bob', /no longer go to/))).toContain('Your tips stay in your Discord balance')
  stage.mustSay(await free('carols-own'), /No member here has linked a wallet called “carols-own”/)
  stage.mustSay(await free('nobody-at-all'), /No member here has linked a wallet called “nobody-at-all”/)
})

it('a wallet’s owner can replace another member’s link to it with one press', async () => {
  const stage = await openStage()
  const service = stage.world.service.administration()
  const linkOf = async (who: string) => (await stage.world.bot.tipping.balances.view(stage.id(who))).link
  const card = await ask(stage, 'newcomer')
  const [own] = (await service.listUsers()).filter(({ gamertag }) => gamertag.toLowerCase().startsWith('newcomer'))
  if (own === undefined) throw new Error('no wallet was opened')
  // A code that somebody was talked out of.
  const { code } = await service.linkCode(own.userId)
  await stage.command('bob', 'link', { wallet: own.gamertag, code })
  expect((await linkOf('bob'))?.lightningId).toBe(own.userId)
  await stage.press('newcomer', card, 'Send my tips to the wallet newcomer')
  expect((await linkOf('newcomer'))?.lightningId).toBe(own.userId)
  expect(await linkOf('bob')).toBeUndefined()
})
