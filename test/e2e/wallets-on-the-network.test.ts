import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { readConnection } from '../../src/lib/nostr/wallet-connect/connection.ts'
import { connectOwnWallet, ownWalletHolds } from '../../src/playground/flows/from-wallet-to-wallet.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openOverRelays } from '../../src/tipping/engine/own-wallets/member-wallet.ts'
import { must } from '../support/must.ts'
import { openStage } from './harness.ts'

/**
 * Opens a stage; returns the stage, and a function that adds up all sats on its network: in nodes, under way, and in
 * routers' fees.
 */
async function openNetwork(): Promise<{ stage: Stage; all: () => unknown }> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-network-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const stage = await openStage({ folder })
  const all = () => {
    const file = new Database(join(folder, 'lightning-sandbox.sqlite'), { readonly: true })
    try {
      const sql = `SELECT (SELECT SUM(balance) FROM node)
        + COALESCE((SELECT SUM(amount + fee) FROM payment WHERE state = 'pending'), 0)
        + COALESCE((SELECT SUM(fee) FROM payment WHERE state = 'paid'), 0)`
      return file.prepare(sql).pluck().get()
    } finally {
      file.close()
    }
  }
  return { stage, all }
}

/** Returns somebody's wallet as an app sees it, through the wallet's connection. */
function walletOf(stage: Stage, who: string) {
  const connection = stage.world.memberWallets.list().find(({ name }) => name === who)?.connection ?? ''
  const wallet = openOverRelays({ clock: systemClock, allowLoopback: true })(readConnection(connection))
  onTestFinished(() => wallet.close())
  return wallet
}

async function depositCode(stage: Stage, who: string, amount: string): Promise<string> {
  const [card] = await stage.command(who, 'deposit', { amount })
  return await stage.scan(card as MessageView, 'deposit')
}

const MOVE = "Move my balance to the wallet alice's wallet"

it('a Discord balance moves into its owner’s wallet, and no sat is made or lost', async () => {
  const { stage, all } = await openNetwork()
  const before = all()
  await stage.pay(await depositCode(stage, 'alice', '700'))
  await connectOwnWallet(stage, 'alice')
  const [card] = await stage.command('alice', 'wallet')
  const labels = [...everyComponent(must(card).components)].flatMap((each) => ('label' in each ? [each.label] : []))
  expect(labels).toEqual(expect.arrayContaining(['Send my tips to the wallet alice', MOVE]))
  const [question] = await stage.press('alice', must(card), MOVE)
  expect(textOf(must(question))).toContain("It goes to your wallet **alice's wallet**")
  expect(textOf(must(question))).not.toContain('invoice')
  await stage.press('alice', question as MessageView, 'Send it')
  await stage.until('the sats arrive', async () => ownWalletHolds(stage, 'alice') > 50_000)
  const moved = ownWalletHolds(stage, 'alice') - 50_000
  expect(moved).toBeGreaterThan(650)
  await stage.until('the book has heard', async () => (await stage.holds('bot', 'member', 'alice')) < 700 - moved)
  expect(all()).toBe(before)
})

it('a deposit can be paid from a connected wallet, but only once', async () => {
  const { stage, all } = await openNetwork()
  const before = all()
  const invoice = await depositCode(stage, 'bob', '700')
  const wallet = walletOf(stage, 'bob')
  expect(await wallet.pay(invoice)).toMatch(/^[0-9a-f]{64}$/)
  await stage.until('bob is funded', async () => (await stage.holds('bot', 'member', 'bob')) === 700)
  expect(await wallet.lookUp(decodeInvoice(invoice).paymentHash)).toMatchObject({ type: 'outgoing', state: 'settled' })
  await expect(wallet.pay(invoice)).rejects.toThrow(/has been paid already/)
  expect([ownWalletHolds(stage, 'bob'), all()]).toEqual([49_300, before])
})

it('a connected wallet’s invoice can be paid only once, whichever wallet pays', async () => {
  const { stage, all } = await openNetwork()
  const before = all()
  const [alice, bob] = [walletOf(stage, 'alice'), walletOf(stage, 'bob')]
  const invoice = await alice.makeInvoice({ amount: sats(21), description: 'Lunch', expiresInSeconds: 600 })
  const phone = (await stage.world.phone.wallet()).balance
  await stage.world.phone.pay(invoice)
  await expect(bob.pay(invoice)).rejects.toThrow(/has been paid already/)
  await expect(stage.world.phone.pay(invoice)).rejects.toThrow(/has been paid already/)
  expect([ownWalletHolds(stage, 'alice'), ownWalletHolds(stage, 'bob')]).toEqual([50_021, 50_000])
  expect([(await stage.world.phone.wallet()).balance, all()]).toEqual([phone - 21_000n, before])
})

it('wallets can pay each other while the service is down, and pay it once it is up', async () => {
  const { stage, all } = await openNetwork()
  const before = all()
  const [alice, bob] = [walletOf(stage, 'alice'), walletOf(stage, 'bob')]
  const deposit = await depositCode(stage, 'bob', '700')
  await stage.world.service.kill()
  const invoice = await alice.makeInvoice({ amount: sats(21), description: 'Lunch', expiresInSeconds: 600 })
  await bob.pay(invoice)
  expect([ownWalletHolds(stage, 'alice'), ownWalletHolds(stage, 'bob')]).toEqual([50_021, 49_979])
  await expect(bob.pay(deposit)).rejects.toThrow()
  expect(await bob.lookUp(decodeInvoice(deposit).paymentHash)).toBeUndefined()
  await stage.world.service.start()
  await bob.pay(deposit)
  await stage.until('bob is funded', async () => (await stage.holds('bot', 'member', 'bob')) === 700)
  expect([ownWalletHolds(stage, 'bob'), all()]).toEqual([49_279, before])
})
