import { networkNamed } from '../../lib/lightning/network-names.ts'
import {
  ConnectionFault,
  type NwcConnection,
  publicKeyOf,
  readConnection,
  usableConnection,
} from '../../lib/nostr/wallet-connect/connection.ts'
import { NwcNoAnswer, NwcUnreadable, NwcWalletError } from '../../lib/nostr/wallet-connect/nwc-client.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { askOnceMore } from '../engine/own-wallets/ask-once-more.ts'
import { allows, ownerOfServer } from '../engine/own-wallets/connections.ts'
import type { WalletBudget, WalletFacts } from '../engine/own-wallets/member-wallet.ts'
import { showUnseen } from '../engine/own-wallets/pay-by-hand.ts'
import { wakePromises } from '../engine/own-wallets/promise-book.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { WalletConnection } from '../generated/client.ts'
import type { ConnectCommand, ConnectOutcome, ConnectProblem, FinishCommand, OwnWallet } from './own-wallets.ts'
import { findPass, secretBegun, usePass } from './wallet-passes.ts'

/** The most relays that a wallet may have. */
const MAX_RELAYS = 5
const MAX_NAME = 60
/** The methods whose support by a wallet is stored, because they are used here. */
const METHODS = ['pay_invoice', 'make_invoice', 'lookup_invoice', 'get_budget', 'get_balance']

/** The error for a connection that cannot be used. It is thrown only within this file. */
class Unusable extends Error {
  readonly problem: ConnectProblem
  readonly detail: string

  constructor(problem: ConnectProblem, detail = '') {
    super(problem)
    this.problem = problem
    this.detail = detail
  }
}

/** Connects the wallet that a connection text describes. */
export async function connectWallet(context: TippingContext, command: ConnectCommand): Promise<ConnectOutcome> {
  return await connectBy(context, command, async () => readConnection(command.text))
}

/** Connects a wallet that has agreed to our key. */
export async function finishConnection(context: TippingContext, command: FinishCommand): Promise<ConnectOutcome> {
  const { token, state, wallet, relays } = command
  return await connectBy(context, command, async () => {
    const secret = await secretBegun(context, token, state)
    if (secret === undefined) throw new Unusable('not-begun')
    return usableConnection({ walletPubkey: wallet.toLowerCase(), relays, secret })
  })
}

/** A link's token, and the state of its unfinished connection, if it has one. */
interface Way {
  readonly token: string
  readonly state?: string
}

/** Asks a wallet what a connection permits, and stores the connection encrypted. */
async function connectBy(
  context: TippingContext,
  { token, state }: Way,
  read: () => Promise<NwcConnection>,
): Promise<ConnectOutcome> {
  try {
    const pass = await findPass(context, token)
    if (pass === undefined) throw new Unusable('link-over')
    if ((await findPass(context, token, { state })) === undefined) throw new Unusable('not-begun')
    const connection = await read()
    refuseFarRelays(context, connection)
    const { facts, budget } = await ask(context, connection)
    // A server receives nothing.
    if (pass.guild !== undefined && !facts.methods.includes('pay_invoice')) throw new Unusable('pays-not')
    const row = await store(context, { token, state, ...pass, connection, facts })
    return { connected: { ...viewOf(row), budget }, guild: pass.guild }
  } catch (error) {
    const { problem, detail } = unusable(error)
    return { problem, ...(detail !== '' && { detail }) }
  }
}

function unusable(error: unknown): Unusable {
  if (error instanceof Unusable) return error
  if (error instanceof ConnectionFault) return new Unusable(error.fault, error.relay)
  if (error instanceof NwcNoAnswer) return new Unusable(error.missing === 'relays' ? 'relays-away' : 'wallet-away')
  if (error instanceof NwcWalletError) return new Unusable('refused', error.code.slice(0, 40))
  if (error instanceof NwcUnreadable) return new Unusable('wallet-away')
  throw error
}

function refuseFarRelays({ wallets }: TippingContext, { relays }: NwcConnection): void {
  const isFar = relays.length > MAX_RELAYS || !relays.every((relay) => wallets.connections.mayAsk(relay))
  if (isFar)
    throw new Unusable('private-relay', relays.find((relay) => !wallets.connections.mayAsk(relay))?.slice(0, 100))
}

async function ask(
  context: TippingContext,
  connection: NwcConnection,
): Promise<{ readonly facts: WalletFacts; readonly budget: WalletBudget | undefined }> {
  const wallet = context.wallets.connections.tryOut(connection)
  try {
    const facts = await wallet.info()
    const { methods, network } = facts
    const own = await context.network.find(context)
    const theirs = networkNamed(network?.toLowerCase())
    if (own !== undefined && network !== undefined && theirs !== own)
      throw new Unusable('other-network', network.slice(0, 40))
    if (!methods.includes('pay_invoice') && !methods.includes('make_invoice')) throw new Unusable('useless')
    return { facts, budget: methods.includes('get_budget') ? await wallet.budget() : undefined }
  } finally {
    wallet.close()
  }
}

/** A stored connection without its secret. */
type StoredConnection = Omit<WalletConnection, 'sealed'>

interface ToStore {
  readonly token: string
  readonly state: string | undefined
  readonly member: string
  readonly guild: string | undefined
  readonly connection: NwcConnection
  readonly facts: WalletFacts
}

async function store(
  context: TippingContext,
  { token, state, member, guild, connection, facts }: ToStore,
): Promise<StoredConnection> {
  const id = context.entropy.uuid()
  const row = {
    ...{
      member: guild === undefined ? member : ownerOfServer(guild),
      id,
      client: publicKeyOf(connection),
      wallet: connection.walletPubkey,
    },
    relays: JSON.stringify(connection.relays),
    methods: METHODS.filter((method) => facts.methods.includes(method)).join(' '),
    name: facts.name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME),
    network: networkNamed(facts.network?.toLowerCase()) ?? null,
    createdAt: now(context),
  }
  await askOnceMore(context, row.member)
  const before = await context.commit({
    write: async (tx) => {
      if (!(await usePass(context, tx, { token, state }))) throw new Unusable('link-over')
      const holder = await tx.walletConnection.findUnique({ where: { client: row.client } })
      if (holder !== null && holder.member !== row.member) throw new Unusable('taken')
      await noteMember(tx, member, row.createdAt)
      const replaced = await tx.walletConnection.findUnique({ where: { member: row.member } })
      if (replaced !== null) await showUnseen(context, tx, replaced, row.createdAt)
      await tx.walletConnection.deleteMany({ where: { member: row.member } })
      // Inside the transaction, so that a rotation of the key comes before or after.
      const sealed = context.wallets.connections.seal(connection.secret, id)
      await tx.walletConnection.create({ data: { ...row, sealed } })
      if (guild !== undefined)
        await logModeration(context, tx, { guild, member, action: 'wallet-connected', about: { wallet: row.name } })
      return replaced?.id
    },
  })
  if (before !== undefined) context.wallets.connections.forget(before)
  context.wallets.connections.changed()
  await wakePromises(context, member)
  return row
}

/** Returns a connection as its member sees it. */
export function viewOf(row: StoredConnection): OwnWallet {
  return {
    name: row.name,
    pays: allows(row, 'pay_invoice'),
    receives: allows(row, 'make_invoice'),
    looksUp: allows(row, 'lookup_invoice'),
    since: row.createdAt,
  }
}

/**
 * Returns the wallet that a member, or a server's moderators, have connected. `owner` is the owner's name in the table.
 */
export async function ownWalletOf(context: ReadonlyBook, owner: string): Promise<OwnWallet | undefined> {
  const row = await context.database.read.walletConnection.findUnique({ where: { member: owner } })
  return row === null ? undefined : viewOf(row)
}

/**
 * Deletes a server's connection for a moderator, and returns whether there was one. Links that moderators have opened
 * stay valid.
 */
export async function disconnectServer(
  context: TippingContext,
  { guild, member }: { readonly guild: string; readonly member: string },
): Promise<boolean> {
  const owner = ownerOfServer(guild)
  const gone = await context.commit({
    write: async (tx) => {
      const row = await tx.walletConnection.findUnique({ where: { member: owner } })
      if (row === null) return undefined
      await tx.walletConnection.deleteMany({ where: { member: owner } })
      await logModeration(context, tx, { guild, member, action: 'wallet-disconnected', about: { wallet: row.name } })
      return row.id
    },
  })
  if (gone !== undefined) context.wallets.connections.forget(gone)
  return gone !== undefined
}

/**
 * Deletes a member's connection, and returns whether there was one. The wallet's open payments are then checked only
 * from the recipients' side.
 */
export async function disconnectWallet(context: TippingContext, member: string): Promise<boolean> {
  await askOnceMore(context, member)
  const gone = await context.commit({
    write: async (tx) => {
      await tx.walletPass.deleteMany({ where: { member } })
      const row = await tx.walletConnection.findUnique({ where: { member } })
      if (row !== null) await showUnseen(context, tx, row, now(context))
      await tx.walletConnection.deleteMany({ where: { member } })
      return row?.id
    },
  })
  if (gone !== undefined) context.wallets.connections.forget(gone)
  return gone !== undefined
}
