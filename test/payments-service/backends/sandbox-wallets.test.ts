import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { NetworkFile } from '../../../src/payments-service/backends/sandbox/network-file.ts'
import { DEFAULT_BALANCES } from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { maxFee, open, TEN_BTC, temporaryFile, timeoutMs } from './sandbox-world.ts'

/** Opens a network to which another process has added the wallets of ann and ben, who hold 100 sats each. */
function openWithWallets() {
  const file = temporaryFile()
  const network = open({ file })
  const other = new NetworkFile(file, systemEntropy, { balances: DEFAULT_BALANCES, groupSyncs: false })
  for (const name of ['wallet:ann', 'wallet:ben'] as const) other.addNode(name, sats(100), systemEntropy)
  onTestFinished(() => other.close())
  const wallet = (name: string) => network.wallet(name) ?? expect.unreachable(`${name} has no wallet`)
  return { ...network, ann: wallet('ann'), ben: wallet('ben') }
}

const ask = { amount: sats(21), description: { text: 'Lunch' }, expiresInSeconds: 60 }

it('our node pays only the wallet that made the invoice', async () => {
  const { backend, outside, ann, ben } = openWithWallets()
  const { invoice, paymentHash } = ann.createInvoice(ask)
  const outcome = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
  expect(outcome).toMatchObject({ state: 'paid' })
  expect([ann, ben, outside].map((each) => each.wallet().balance)).toEqual([sats(121), sats(100), TEN_BTC])
  expect([ann.lookUp(paymentHash)?.state, ben.lookUp(paymentHash), outside.history()]).toEqual(['paid', undefined, []])
})

it('our node learns that one of its invoices has been paid by a wallet', async () => {
  const { backend, outside, ann } = openWithWallets()
  const { invoice, paymentHash } = await backend.createInvoice(ask)
  await ann.pay(invoice)
  expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled', received: sats(21) })
  expect([ann.wallet().balance, outside.history()]).toEqual([sats(79), []])
  expect(ann.history()).toMatchObject([{ direction: 'sent', paymentHash }])
})

it('a wallet cannot pay its own invoice, a pending invoice or more than its balance', async () => {
  const { backend, ann, ben, setFault, release } = openWithWallets()
  const { invoice, paymentHash } = ann.createInvoice(ask)
  setFault('hang')
  const flight = backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
  await expect(ben.pay(invoice)).rejects.toMatchObject({ code: 'already_paid' })
  release('fail')
  expect(await flight).toMatchObject({ state: 'failed' })
  await expect(ann.pay(invoice)).rejects.toMatchObject({ code: 'own_invoice' })
  await ben.pay(invoice)
  const dear = ann.createInvoice({ ...ask, amount: sats(80) })
  await expect(ben.pay(dear.invoice)).rejects.toMatchObject({ code: 'insufficient_funds' })
  expect([ann, ben].map((each) => each.wallet().balance)).toEqual([sats(121), sats(79)])
})

it('a sandbox file from before wallets existed accepts wallets and keeps its content', async () => {
  const file = temporaryFile()
  const first = open({ file })
  const { invoice, paymentHash } = await first.backend.createInvoice(ask)
  const { pubkey } = first.outside.wallet()
  await first.close()
  const old = new Database(file)
  old.pragma('foreign_keys = OFF')
  old.exec(`CREATE TABLE older (name TEXT PRIMARY KEY CHECK (name IN ('ours', 'outside')), privateKey TEXT NOT NULL,
    balance INTEGER NOT NULL CHECK (balance >= 0)) STRICT;
    INSERT INTO older SELECT * FROM node; DROP TABLE node; ALTER TABLE older RENAME TO node`)
  old.close()
  const network = open({ file, clock: first.clock })
  const other = new NetworkFile(file, systemEntropy, { balances: DEFAULT_BALANCES, groupSyncs: false })
  other.addNode('wallet:ann', sats(100), systemEntropy)
  await network.wallet('ann')?.pay(invoice)
  expect(await network.backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled' })
  expect([network.outside.wallet(), network.wallet('ann')?.wallet().balance]).toEqual([
    { balance: TEN_BTC, pubkey },
    sats(79),
  ])
  await other.close()
})
