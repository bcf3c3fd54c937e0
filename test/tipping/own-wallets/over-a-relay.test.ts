import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { isPreimageOf } from '../../../src/lib/lightning/preimage.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { readConnection } from '../../../src/lib/nostr/wallet-connect/connection.ts'
import { NwcWalletError } from '../../../src/lib/nostr/wallet-connect/nwc-client.ts'
import {
  isAllowedRelay,
  type MemberWallet,
  openOverRelays,
} from '../../../src/tipping/engine/own-wallets/member-wallet.ts'
import { WalletOverRelay } from '../../payments-service/backends/nwc/wallet-over-relay.ts'

let service: WalletOverRelay
let wallet: MemberWallet

/** Starts a wallet service and a relay by other authors (@getalby/sdk, @nostr-relay/core). */
beforeEach(async () => {
  service = await WalletOverRelay.start(systemClock)
  wallet = openOverRelays({ clock: systemClock, allowLoopback: true })(readConnection(service.uri))
})

afterEach(async () => {
  wallet.close()
  await service.stop()
})

it('a wallet without a budget reports its name, its network and its balance', async () => {
  expect(await wallet.info()).toMatchObject({ name: 'wallet', network: 'regtest' })
  expect(await wallet.budget()).toBeUndefined()
  expect(await wallet.balance()).toBe(service.side.balance)
})

it('a wallet makes an invoice, and reports whether it was paid', async () => {
  const text = await wallet.makeInvoice({ amount: sats(21), description: 'Tip', expiresInSeconds: 120 })
  const { amount, paymentHash, createdAt, expiresAt } = decodeInvoice(text)
  expect([amount, expiresAt.getTime() - createdAt.getTime()]).toEqual([21_000n, 120_000])
  expect(await wallet.lookUp(paymentHash)).toMatchObject({ type: 'incoming', state: 'pending' })
  service.side.payFromOutside(text)
  expect(await wallet.lookUp(paymentHash)).toMatchObject({ type: 'incoming', state: 'settled' })
})

it('a wallet pays an invoice, shows its preimage, and finds the payment afterwards', async () => {
  const { invoice, paymentHash } = service.side.outsideInvoice({ amount: sats(21) })
  expect(await wallet.lookUp(paymentHash)).toBeUndefined()
  expect(isPreimageOf((await wallet.pay(invoice)) ?? '', paymentHash)).toBe(true)
  expect(await wallet.lookUp(paymentHash)).toMatchObject({ type: 'outgoing', state: 'settled' })
})

it('a wallet’s refusal is reported as an error of the wallet', async () => {
  service.side.next('no-path')
  const { invoice } = service.side.outsideInvoice({ amount: sats(21) })
  await expect(wallet.pay(invoice)).rejects.toBeInstanceOf(NwcWalletError)
})

it('a wallet is never contacted through a relay in the bot’s network, under any name', async () => {
  expect(isAllowedRelay('wss://10.0.0.1/', { allowLoopback: false })).toBe(false)
  expect(isAllowedRelay('ws://relay.example.com/', { allowLoopback: false })).toBe(false)
  expect(isAllowedRelay('wss://relay.example.com/', { allowLoopback: false })).toBe(true)
  // By another writing of this machine's name, too.
  const { walletPubkey, secret } = readConnection(service.uri)
  const relays = [service.relay.url.replace('127.0.0.1', 'LOCALHOST.').replace('ws:', 'wss:')]
  expect(isAllowedRelay(relays[0] ?? '', { allowLoopback: false })).toBe(false)
  expect(() => openOverRelays({ clock: systemClock, allowLoopback: false })({ walletPubkey, secret, relays })).toThrow(
    'not on the public Internet',
  )
})
