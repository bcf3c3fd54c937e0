import { pause } from '../../src/lib/clock.ts'
import type { NwcConnection } from '../../src/lib/nostr/wallet-connect/connection.ts'
import { NwcNoAnswer } from '../../src/lib/nostr/wallet-connect/nwc-client.ts'
import type { MemberWallet } from '../../src/tipping/engine/own-wallets/member-wallet.ts'
import {
  type InvoiceFault,
  type PayFault,
  type ScriptedWallet,
  ScriptedWallets,
} from '../../test/support/scripted-wallets.ts'
import type { Chance } from './chance.ts'
import type { Faults } from './process.ts'
import type { Timeline } from './timeline.ts'

export const PAY_FAULTS: readonly PayFault[] = [
  ...(['lost', 'answer-lost', 'late', 'no-preimage', 'wrong-preimage', 'not-paid'] as const),
  { error: 'PAYMENT_FAILED' },
  { error: 'PAYMENT_FAILED', paysFirst: true },
  { error: 'INTERNAL', paysFirst: true },
  { error: 'INSUFFICIENT_BALANCE' },
  { error: 'INSUFFICIENT_BALANCE', paysFirst: true },
  { error: 'QUOTA_EXCEEDED' },
  { error: 'RATE_LIMITED' },
]
const INVOICE_FAULTS: readonly InvoiceFault[] = [
  ...(['silent', 'other-amount', 'used', 'expired', 'no-invoice'] as const),
  { error: 'RESTRICTED' },
]

const MAX_DELAY_MS = 20_000

/**
 * Members' wallets, and the relays between them and the bot: answers get lost, are late or arrive twice; wallets are
 * offline, fail or return false statements.
 */
export class MemberWallets {
  readonly network: ScriptedWallets
  readonly #timeline: Timeline
  readonly #chance: Chance
  readonly #faults: Faults
  readonly #byName = new Map<string, ScriptedWallet>()

  constructor(timeline: Timeline, chance: Chance, faults: Faults) {
    this.network = new ScriptedWallets(timeline)
    this.#timeline = timeline
    this.#chance = chance
    this.#faults = faults
  }

  /** A bot's settings for these wallets. */
  get options() {
    return { keys: this.network.keys, open: (connection: NwcConnection) => this.#open(connection) }
  }

  of(name: string): ScriptedWallet {
    const wallet = this.#byName.get(name) ?? this.network.add(name)
    this.#byName.set(name, wallet)
    return wallet
  }

  #open(connection: NwcConnection): MemberWallet {
    const wallet = this.network.open(connection) as ScriptedWallet
    const ask = <T>(method: string, request: () => Promise<T>) => this.#ask(method, request)
    return {
      info: () => ask('get_info', () => wallet.info()),
      budget: () => ask('get_budget', () => wallet.budget()),
      balance: () => ask('get_balance', () => wallet.balance()),
      lookUp: (hash) => ask('lookup_invoice', () => wallet.lookUp(hash)),
      makeInvoice: (request) => {
        this.#perhaps(() => wallet.invoiceFaults.push(this.#chance.one(INVOICE_FAULTS)))
        return ask('make_invoice', () => wallet.makeInvoice(request))
      },
      pay: (invoice) => {
        this.#perhaps(() => wallet.payFaults.push(this.#chance.one(PAY_FAULTS)))
        return ask('pay_invoice', () => wallet.pay(invoice))
      },
      close: () => undefined,
    }
  }

  #perhaps(strike: () => void): void {
    if (this.#isRough && this.#chance.happens(0.3)) strike()
  }

  get #isRough(): boolean {
    return this.#faults.node > 0
  }

  /** Makes a request through a relay, which may delay it, lose it, lose its answer or deliver it twice. */
  async #ask<T>(method: string, request: () => Promise<T>): Promise<T> {
    const chance = this.#chance
    await pause(this.#timeline, chance.between(0, this.#isRough ? MAX_DELAY_MS : 500))
    const way = this.#isRough ? chance.weighted({ good: 90, lost: 4, answerLost: 4, twice: 2 }) : 'good'
    if (way === 'lost') throw new NwcNoAnswer(method, 'relays')
    const answer = await request()
    if (way === 'twice') await request().catch(() => undefined)
    await pause(this.#timeline, chance.between(0, 200))
    if (way === 'answerLost') throw new NwcNoAnswer(method, 'wallet')
    return answer
  }
}
