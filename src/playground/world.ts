import type { Emulator } from '../discord-emulator/emulator.ts'
import type { Administration } from '../payments-service/administration/administration.ts'
import type { Tipping } from '../tipping/tipping.ts'
import type { MemberWallets } from './member-wallets/member-wallets.ts'

/**
 * The whole product in one process, whose parts meet only over the network: Discord (the emulator), the bot with its
 * tipping and web server, the payments service with its sandbox Lightning network, and the outside wallet. The
 * playground's page, the tour and the end-to-end tests all use such a world.
 */
export interface PlaygroundWorld {
  readonly emulator: Emulator
  /** Whether the bot holds balances. If not, there is neither service nor phone. */
  readonly custody: 'balances' | 'none'
  /** The people and places that a new world starts with, by their short names. */
  readonly cast: Cast
  readonly service: Part & {
    readonly url: string
    administration(): Administration
    userId(gamertag: string): Promise<string>
    /**
     * Creates a sign-in link to the wallet page of the person with this gamertag. Rejects with an Error whose message
     * is a sentence for a person.
     */
    walletLink(gamertag: string): Promise<string>
  }
  /** The bot. `tipping` throws while the bot is not running. */
  readonly bot: Part & {
    readonly tipping: Tipping
    /** The address of the bot's web server, which also serves `/status`. */
    readonly callbackUrl: string
    environment(): Record<string, string>
  }
  readonly phone: Phone
  /** People's own wallets, which they can connect to the bot. */
  readonly memberWallets: Pick<MemberWallets, 'list'>
  /** Resolves to the same wallets with their connections, and to what the newest gifts moved in the bot's book. */
  ownWallets(): Promise<OwnWalletsView>
  /** Resolves to both sets of books in their present state; without custody, only to the bot's books. */
  books(): Promise<readonly BookView[]>
  /**
   * Resolves to the pending work: open deposits, payments with an unknown outcome, unclaimed tips, and expected
   * callbacks.
   */
  waiting(): Promise<readonly WaitingView[]>
  readonly wire: Wire
  /** Resolves when no work is left for the moment: hints are read, payouts have ended, and cards are shown. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface Cast {
  readonly server: string
  readonly channels: Readonly<Record<'general' | 'tips' | 'giveaways' | 'mods', string>>
  /**
   * Discord ids: members, a moderator, the owner, a second operator, a newcomer, and an outsider who is in no server.
   */
  readonly people: Readonly<Record<string, string>>
}

/** A part that a test can remove while the rest of the world continues. */
export interface Part {
  readonly running: boolean
  /** Stops the part like a crash: unfinished work stays unfinished. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** The outside wallet, which stands for any other Lightning wallet and has its own balance. Amounts are in msats. */
export interface Phone {
  wallet(): Promise<{ balance: bigint; pubkey: string }>
  /**
   * Pays a QR code's content: an invoice, an LNURL-pay code or a Lightning Address. Rejects with an Error whose message
   * is a sentence for a person.
   */
  pay(
    request: string,
    amount?: bigint,
    comment?: string,
  ): Promise<{ preimage: string; paymentHash: string; message?: string }>
  /** Claims an LNURL-withdraw code. */
  claim(request: string): Promise<{ invoice: string; paymentHash: string; amount: bigint }>
  invoice(amount?: bigint, description?: string): Promise<{ invoice: string; paymentHash: string }>
  history(): Promise<readonly PhoneLine[]>
  /** Sets how the next outgoing payments of the service's node behave. */
  misbehave(
    next: 'fail' | 'hang' | 'unknown-then-paid' | 'unknown-then-failed',
    options?: { times?: number; delayMs?: number },
  ): Promise<void>
  /** Ends all hanging payments with this outcome. Resolves to the number of those payments. */
  release(outcome: 'settle' | 'fail'): Promise<number>
  /** Makes the web server answer the next callbacks with an error, as if they were lost. */
  loseCallbacks(count: number): void
}

export interface PhoneLine {
  readonly direction: 'in' | 'out'
  readonly kind: 'invoice' | 'keysend'
  readonly amount: bigint
  readonly preimage: string
  readonly paymentHash: string
  /** The payment's purpose; empty if nobody gave one. */
  readonly description: string
  readonly at: string
}

export interface BookView {
  readonly side: 'bot' | 'service'
  readonly holds: boolean
  readonly faults: readonly string[]
  /**
   * Accounts with a balance. `name` is the owner's name for people, such as "alice", or else the owner's id. Balances
   * are in msats.
   */
  readonly accounts: readonly { kind: string; owner: string; name: string; balance: bigint }[]
  /** The most recent entries, newest first. */
  readonly entries: readonly {
    id: number
    operation: string
    /** The operation's name for people, such as "tip" or "deposit". */
    what: string
    step: string
    at: string
    moves: readonly { from: string; to: string; amount: bigint }[]
  }[]
  readonly totals: Readonly<Record<string, bigint>>
}

/** People's own wallets, and the newest gifts. Amounts are in msats, and people are Discord ids. */
export interface OwnWalletsView {
  readonly wallets: readonly {
    readonly person: string
    readonly balance: bigint
    /** The text to paste on the page that connects the wallet. */
    readonly connection: string
    readonly connected: boolean
  }[]
  /** The most recent gifts, newest first, each to one recipient. */
  readonly gifts: readonly GiftView[]
}

export interface GiftView {
  readonly id: string
  readonly at: string
  /** The giver; null if the server's pool or wallet paid. */
  readonly from: string | null
  readonly to: string
  readonly amount: bigint
  readonly way: 'wallet' | 'balance'
  /**
   * The gift's state. If it comes from a wallet: promised, revoked, lapsed, asked, paying, unknown, paid, failed or
   * unconfirmed. If it comes from a balance: credited, parked, claimed or returned.
   */
  readonly state: string
  /** The amount that moved in the bot's book for the gift. */
  readonly booked: bigint
}

export interface WaitingView {
  readonly what: string
  readonly since: string
  readonly detail: string
}

/**
 * Every call between bot and service and every callback, with the secrets hidden. Only the last few hundred are kept.
 */
export interface Wire {
  recent(): readonly WireLine[]
  subscribe(listener: (line: WireLine) => void): () => void
}

export interface WireLine {
  readonly id: number
  readonly at: string
  readonly from: 'bot' | 'service'
  readonly kind: 'call' | 'answer' | 'no answer' | 'callback'
  /** The number that a call shares with its answer. */
  readonly exchange: number
  readonly title: string
  readonly status: number | null
  readonly tookMs: number | null
  /** Whether the exchange only reads, so that nothing changes at the service. */
  readonly reads: boolean
  readonly body: unknown
}
