import { expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { connectOwnWallet, ownWalletHolds } from '../../src/playground/flows/from-wallet-to-wallet.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { Browser, words } from '../payments-service/wallet-page/browser.ts'
import { must } from '../support/must.ts'
import { openFundedStage, openStage } from './harness.ts'

function connectionOf(stage: Stage, who: string): string {
  return stage.world.memberWallets.list().find(({ name }) => name === who)?.connection ?? ''
}

it('a tip goes from wallet to wallet through a relay, and the books do not change', async () => {
  const stage = await openStage()
  expect(await connectOwnWallet(stage, 'alice')).toMatch(
    /Your wallet is connected[\s\S]*It may still spend 20,000 test sats/,
  )
  expect(await connectOwnWallet(stage, 'bob')).toContain('Your wallet is connected')
  const [wallet] = await stage.command('alice', 'wallet')
  expect(wallet && textOf(wallet)).toMatch(/alice's wallet.* has been connected/)
  const before = (await stage.world.books()).map(({ entries }) => entries.length)
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  await stage.sees('carol', /paid from wallet to wallet/)
  expect([ownWalletHolds(stage, 'alice'), ownWalletHolds(stage, 'bob')]).toEqual([49_500, 50_500])
  expect((await stage.world.books()).map(({ entries }) => entries.length)).toEqual(before)
  const [gone] = await stage.press('alice', wallet as MessageView, 'Disconnect')
  expect(gone && textOf(gone)).toMatch(/I have deleted its key/)
  const [refused] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  expect(refused && textOf(refused)).toMatch(/Your balance is too small to tip/)
})

it('the connection page and /wallet say which tips a connected wallet pays', async () => {
  const stage = await openStage()
  const which = 'It pays your tips to people with a wallet of their own. Other tips come from your Discord balance.'
  expect(await connectOwnWallet(stage, 'alice')).toContain(which)
  stage.mustSay(await stage.command('alice', 'wallet'), new RegExp(which))
})

it('without custody, texts about a connected wallet mention no Discord balance', async () => {
  const stage = await openStage({ custody: 'none' })
  const page = await connectOwnWallet(stage, 'alice')
  expect(page).toContain('It pays the tips that you give.')
  expect(page).not.toContain('Discord balance')
  const [card] = await stage.command('alice', 'wallet')
  expect(textOf(must(card))).not.toContain('Discord balance')
})

it('/balance and /wallet show the Discord balance and the connected wallet’s sats', async () => {
  const stage = await openFundedStage(700)
  stage.mustSay(await stage.command('alice', 'wallet'), /also have \*\*700 test sats/)
  const browser = new Browser(stage.world.service)
  const { pathname, search } = new URL(await stage.world.service.walletLink('alice'))
  await browser.open(pathname + search)
  await browser.submit('/wallet/sign-in')
  expect(words(await browser.open('/wallet'))).toContain('You also have 700 test sats in your Discord balance')
  await connectOwnWallet(stage, 'alice')
  stage.mustSay(
    await stage.command('alice', 'balance'),
    /700 test sats[\s\S]*alice's wallet\*\* holds 50,000 test sats/,
  )
  const [wallet] = await stage.command('alice', 'wallet')
  expect(wallet && textOf(wallet)).toMatch(/holds 50,000 test sats[\s\S]*also have \*\*700 test sats/)
  expect(wallet && textOf(wallet).match(/also have/g)).toHaveLength(1)
})

it('a tip that the connected wallet refuses can be paid by hand from another wallet', async () => {
  const stage = await openStage()
  await connectOwnWallet(stage, 'alice')
  await connectOwnWallet(stage, 'bob')
  const [question] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '30000' })
  await stage.press('alice', question as MessageView, 'Send it')
  await stage.sees('alice', /I have asked your wallet to pay/)
  await stage.sees('carol', /not paid: the budget of the paying wallet's connection does not cover this tip/)
  const asked = await stage.sees('alice', /Your wallet did not pay Bob .*\*\*30,000 test sats/)
  const seenByAll = stage.person('carol').conversation(stage.channel()).map(textOf)
  expect(seenByAll.filter((text) => /Your wallet did not pay|lnbcrt/.test(text))).toEqual([])
  stage.mustSay(await stage.press('alice', asked, 'Copy the code'), /^lnbcrt/)
  await stage.world.phone.pay(await stage.scan(asked, 'invoice'))
  await stage.until('bob has it', async () => ownWalletHolds(stage, 'bob') === 80_000)
  await stage.sees('carol', /paid from wallet to wallet/)
  await stage.sees('alice', /Paid: Bob has the \*\*30,000 test sats/)
  expect(ownWalletHolds(stage, 'alice')).toBe(50_000)
})

it('a giver is told why a connected wallet cannot tip somebody without a wallet', async () => {
  const stage = await openStage()
  await connectOwnWallet(stage, 'alice')
  const [asked] = await stage.command('alice', 'tip', { to: stage.id('carol'), amount: '500' })
  expect(asked && textOf(asked)).toMatch(/Your connected wallet cannot pay this tip directly[\s\S]*Without one: Carol/)
})

it('a wallet connection in a command is refused privately, with advice to delete it', async () => {
  const stage = await openStage()
  const [said] = await stage.command('alice', 'tip', {
    to: stage.id('bob'),
    amount: '5',
    note: connectionOf(stage, 'alice'),
  })
  expect(said?.ephemeral).toBe(true)
  expect(said && textOf(said)).toMatch(/That is the key to a wallet.*Delete this connection in your wallet now/)
  const [other] = await stage.command('alice', 'withdraw', {
    amount: '5',
    to: connectionOf(stage, 'alice'),
  })
  expect(other && textOf(other)).toMatch(/That is the key to a wallet/)
  expect(JSON.stringify(stage.world.emulator.requests())).not.toContain(connectionOf(stage, 'alice').slice(-64))
})

it('the card of a drop from a wallet names the wallet before any share is taken', async () => {
  const stage = await openStage()
  await connectOwnWallet(stage, 'alice')
  await connectOwnWallet(stage, 'bob')
  const before = (await stage.world.books()).map(({ entries }) => entries.length)
  const [card] = await stage.command('alice', 'drop', { amount: '600', shares: '2' })
  if (card === undefined) throw new Error('there is no drop')
  expect(textOf(card)).toMatch(/The wallet of .*Alice.* pays each share as it is taken[\s\S]*cannot pay is void/)
  stage.mustSay(
    await stage.press('carol', card, 'Take a share'),
    /is paid from wallet to wallet, and you have no wallet here yet/,
  )
  stage.mustSay(await stage.press('bob', card, 'Take a share'), /300 test sats/)
  await stage.sees('carol', /Bob · paid from wallet to wallet/)
  await stage.press('alice', card, 'Close')
  await stage.sees('carol', /300 test sats were not taken, and stayed in the wallet/)
  expect([ownWalletHolds(stage, 'alice'), ownWalletHolds(stage, 'bob')]).toEqual([49_700, 50_300])
  expect((await stage.world.books()).map(({ entries }) => entries.length)).toEqual(before)
})
