import { join } from 'node:path'
import * as nip44 from 'nostr-tools/nip44'
import { type Event, finalizeEvent, getPublicKey } from 'nostr-tools/pure'
import { hexToBytes } from 'nostr-tools/utils'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { Bank, METHODS, type Params, WalletError } from './bank.ts'
import { type Relay, startRelay } from './relay.ts'
import { readStore, type WalletStore, writeStore } from './wallet-store.ts'

/** A wallet that a person in the playground can connect to the bot (`/wallet`). */
export interface MemberWalletView {
  readonly name: string
  /** The balance in msats. */
  readonly balance: number
  /** The text to paste: `nostr+walletconnect://…` */
  readonly connection: string
  /** The wallet's public key in hex, by which connections identify the wallet. */
  readonly pubkey: string
}

/**
 * People's own wallets, which use Nostr Wallet Connect through a relay of the playground. Each wallet is a node of the
 * sandbox network. The wallets read and write the network's file themselves, so they can pay each other even while no
 * service runs.
 */
export interface MemberWallets {
  list(): MemberWalletView[]
  /**
   * Pays an invoice of one of these wallets from the outside wallet; resolves to undefined for any other invoice.
   * Rejects with an Error whose message is a sentence for a person.
   */
  payFromOutside(invoice: string): Promise<{ readonly preimage: string; readonly paymentHash: string } | undefined>
  close(): Promise<void>
}

const [INFO, REQUEST, RESPONSE] = [13_194, 23_194, 23_195]
const HOLDS = 50_000_000

interface Parts {
  readonly folder: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** The outside wallet's balance in a new network, in msats. Default: the sandbox's own. */
  readonly outsideHolds?: Msats | undefined
  /**
   * Pays an invoice of the payments service from a member's wallet, and informs the service's node of the sats.
   * Resolves to the preimage; rejects with an error that has a `cause` if the service gave no answer. Default: no
   * service.
   */
  readonly payService?: (name: string, invoice: string) => Promise<string>
}

/** Starts wallets with these names, or continues the wallets that the folder already contains. */
export async function startMemberWallets(names: readonly string[], parts: Parts): Promise<MemberWallets> {
  const file = join(parts.folder, 'member-wallets.json')
  const store = readStore(file, names, HOLDS, parts.entropy)
  const relay = await startRelay(store.port)
  store.port = relay.port
  writeStore(file, store)
  const bank = new Bank(join(parts.folder, 'lightning-sandbox.sqlite'), store, parts)
  for (const name of Object.keys(store.wallets)) serve(name, { store, relay, bank, clock: parts.clock })
  return {
    list: () =>
      Object.entries(store.wallets).map(([name, wallet]) => ({
        name,
        balance: Number(bank.balance(name)),
        connection: connectionOf(wallet, relay.port),
        pubkey: getPublicKey(hexToBytes(wallet.secret)),
      })),
    payFromOutside: (invoice) => bank.payFromOutside(invoice),
    async close() {
      await relay.close()
      await bank.close()
    },
  }
}

function connectionOf({ secret, client }: WalletStore['wallets'][string], port: number): string {
  const relay = encodeURIComponent(`ws://127.0.0.1:${port}`)
  return `nostr+walletconnect://${getPublicKey(hexToBytes(secret))}?relay=${relay}&secret=${client}`
}

interface Serving {
  readonly store: WalletStore
  readonly relay: Relay
  readonly bank: Bank
  readonly clock: Clock
}

/** Answers the requests to one wallet (NIP-47). */
function serve(name: string, { store, relay, bank, clock }: Serving): void {
  const { secret: hex, client } = store.wallets[name] ?? { secret: '', client: '' }
  const secret = hexToBytes(hex)
  const [pubkey, asker] = [getPublicKey(secret), getPublicKey(hexToBytes(client))]
  const key = nip44.getConversationKey(secret, asker)
  const sign = (kind: number, tags: string[][], content: string) =>
    relay.publish(finalizeEvent({ kind, tags, content, created_at: Math.floor(clock.now() / 1_000) }, secret))
  sign(INFO, [['encryption', 'nip44_v2']], METHODS.join(' '))
  relay.onEvent(async (event: Event) => {
    const isMine = event.tags.some(([tag, to]) => tag === 'p' && to === pubkey)
    if (event.kind !== REQUEST || !isMine || event.pubkey !== asker) return
    const { method, params } = JSON.parse(nip44.decrypt(event.content, key)) as { method: string; params: Params }
    const answer = { result_type: method, ...(await answerOf(() => bank.answer(name, method, params))) }
    const tags = [
      ['p', asker],
      ['e', event.id],
    ]
    sign(RESPONSE, tags, nip44.encrypt(JSON.stringify(answer), key))
  })
}

async function answerOf(answer: () => unknown) {
  try {
    return { result: await answer() }
  } catch (error) {
    if (error instanceof WalletError) return { error: { code: error.code, message: error.message } }
    return { error: { code: 'INTERNAL', message: `the wallet stumbled: ${error}` } }
  }
}
