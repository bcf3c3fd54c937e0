import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import type { NwcConnection } from '../../../lib/nostr/wallet-connect/connection.ts'
import { openSealed, type SealingKey, sealText } from '../../../lib/sealed-text.ts'
import type { TippingDatabase, Tx } from '../../core/database.ts'
import type { WalletConnection } from '../../generated/client.ts'
import type { MemberWallet, OpenMemberWallet } from './member-wallet.ts'

/**
 * Provides the keys that encrypt members' secrets. They are read each time, because a command may have changed them.
 */
export interface WalletKeys {
  /** Returns the key to use from now on. */
  current(): SealingKey
  all(): readonly SealingKey[]
}

export interface WalletsOptions {
  readonly keys: WalletKeys
  /** Opens members' wallets. Default: through Nostr relays. */
  readonly open?: OpenMemberWallet
}

interface Parts {
  /** The keys that encrypt the wallets' secrets; undefined if nobody can connect a wallet here. */
  readonly keys: WalletKeys | undefined
  readonly open: OpenMemberWallet
  readonly mayAsk: (relay: string) => boolean
  readonly database: TippingDatabase
  readonly clock: Clock
  readonly entropy: Entropy
}

/** How long an idle wallet stays connected. It is reconnected when needed. */
const IDLE_MS = 10 * 60_000
/** How long to cache that nobody has a wallet connected. */
const NOBODY_TTL_MS = 5_000

/** Opens members' wallets when they are needed, and closes those that are idle. */
export class Connections {
  readonly #parts: Parts
  readonly #open = new Map<string, { readonly wallet: MemberWallet; usedAt: number }>()
  #nobodyUntil = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get offered(): boolean {
    return this.#parts.keys !== undefined
  }

  /** Whether wallets may be asked through the relay at this address. */
  mayAsk(relay: string): boolean {
    return this.#parts.mayAsk(relay)
  }

  /**
   * Whether anybody may have a wallet connected. False if nobody had one a moment ago, so that a burst of tips does not
   * query the database.
   */
  get mayBeAnybody(): boolean {
    return this.offered && this.#parts.clock.monotonic() >= this.#nobodyUntil
  }

  /** Whether anybody has a wallet connected. */
  async isAnybody(): Promise<boolean> {
    const { clock, database } = this.#parts
    if (!this.mayBeAnybody) return false
    if ((await database.read.walletConnection.findFirst({ select: { id: true } })) !== null) return true
    this.#nobodyUntil = clock.monotonic() + NOBODY_TTL_MS
    return false
  }

  /** Notes that a connection was stored. */
  changed(): void {
    this.#nobodyUntil = Number.NEGATIVE_INFINITY
  }

  /** Encrypts the secret of the connection with this id. */
  seal(secret: string, id: string): string {
    const { keys, entropy } = this.#parts
    if (keys === undefined) throw new Error('there is no key to encrypt secrets with')
    return sealText(secret, { key: keys.current(), about: id, entropy })
  }

  /** Returns the decrypted text for this id; undefined if its key is missing here. */
  unseal(sealed: string, id: string): string | undefined {
    return openSealed(sealed, this.#parts.keys?.all() ?? [], id)
  }

  /** Opens the wallet of a connection that is not stored yet. The caller closes the wallet. */
  tryOut(connection: NwcConnection): MemberWallet {
    return this.#parts.open(connection)
  }

  /** Returns a connection's wallet; undefined if the connection has ended, or its key is missing here. */
  async wallet(id: string): Promise<MemberWallet | undefined> {
    const { clock, database } = this.#parts
    const row = await database.read.walletConnection.findUnique({ where: { id } })
    if (row === null) {
      this.forget(id)
      return undefined
    }
    const open = this.#open.get(id)
    if (open !== undefined) {
      open.usedAt = clock.monotonic()
      return open.wallet
    }
    const secret = this.unseal(row.sealed, id)
    if (secret === undefined) return undefined
    const wallet = this.#parts.open(read(row, secret))
    this.#open.set(id, { wallet, usedAt: clock.monotonic() })
    return wallet
  }

  /** Closes a wallet, and forgets its secret. */
  forget(id: string): void {
    this.#open.get(id)?.wallet.close()
    this.#open.delete(id)
  }

  closeIdle(): void {
    const before = this.#parts.clock.monotonic() - IDLE_MS
    for (const [id, { usedAt }] of this.#open) if (usedAt < before) this.forget(id)
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.forget(id)
  }
}

function read({ wallet, relays }: WalletConnection, secret: string): NwcConnection {
  return { walletPubkey: wallet, relays: JSON.parse(relays) as string[], secret }
}

/** Whether a stored connection permits a method. */
export function allows({ methods }: Pick<WalletConnection, 'methods'>, method: string): boolean {
  return methods.split(' ').includes(method)
}

/**
 * Returns the connection through which an owner can pay: a member, or a server as `ownerOfServer` returns it. Returns
 * undefined if there is no connection, or it is not allowed to pay.
 */
export async function walletThatPays(
  client: Pick<Tx, 'walletConnection'>,
  owner: string,
): Promise<WalletConnection | undefined> {
  const own = await client.walletConnection.findUnique({ where: { member: owner } })
  return own !== null && allows(own, 'pay_invoice') ? own : undefined
}

/**
 * Returns the id that connections and payments store for a server as the owner of a wallet. No member has such an id.
 */
export function ownerOfServer(guild: string): string {
  return `server:${guild}`
}

/** Whether a payment's sender is a server. */
export function isServer(sender: string): boolean {
  return sender.startsWith(ownerOfServer(''))
}

/**
 * The largest number of recipients of a gift from a wallet. A gift to more people comes from a balance or the pool,
 * because each recipient needs an invoice, and a wallet is asked to pay one invoice at a time.
 */
export const MAX_WALLET_PAYMENTS = 25

/** The route of a gift from a wallet to its recipients' wallets. */
export interface WalletRoute {
  /** The id of the connection whose wallet pays. */
  readonly connection: string
  readonly receivers: ReadonlyMap<string, Receiver>
  /** Recipients who cannot be paid yet. They are promised their shares. */
  readonly promised?: readonly string[]
}

/** The receiving side of a gift from a wallet, as the payment stores it. */
export type Receiver =
  | { readonly kind: 'wallet'; readonly connection: string }
  | { readonly kind: 'address'; readonly address: string }

export function writeReceiver(receiver: Receiver): string {
  return receiver.kind === 'wallet' ? `wallet ${receiver.connection}` : `address ${receiver.address}`
}

export function readReceiver(text: string): Receiver {
  const [kind, at = ''] = text.split(' ')
  return kind === 'wallet' ? { kind, connection: at } : { kind: 'address', address: at }
}

/**
 * Returns how to reach these people's own wallets: through the person's connection if that can make invoices, otherwise
 * through the Lightning Address that the person chose.
 */
export async function receiversOf(
  client: Pick<Tx, 'walletConnection' | 'member'>,
  people: readonly string[],
): Promise<Map<string, Receiver>> {
  const [connections, members] = await Promise.all([
    client.walletConnection.findMany({ where: { member: { in: [...people] } } }),
    client.member.findMany({ where: { id: { in: [...people] }, forwardTo: { not: null }, forgottenAt: null } }),
  ])
  const receivers = new Map<string, Receiver>()
  for (const { id, forwardTo } of members) receivers.set(id, { kind: 'address', address: forwardTo ?? '' })
  for (const connection of connections.filter((each) => allows(each, 'make_invoice'))) {
    receivers.set(connection.member, { kind: 'wallet', connection: connection.id })
  }
  return receivers
}
