import { largestSendable, type Msats, msats, sats } from '../../lib/money/amount.ts'
import type { CoreContext } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { receiversOf } from '../engine/own-wallets/connections.ts'
import { type LiveLink, liveLinks } from '../engine/payouts/live-link.ts'
import type { Account } from '../generated/client.ts'
import { feeLimits } from '../withdrawals/fee-limits.ts'
import { NOTHING_TRIED, type Tried, triedFor } from './attempts.ts'

/** A way for a balance to leave, with its destination. */
export type Route =
  | { readonly way: 'wallet'; readonly connection: string }
  | { readonly way: 'address'; readonly address: string }
  | { readonly way: 'account'; readonly link: LiveLink }
  | { readonly way: 'code' }

/** A member with a balance, and the payment to try next; undefined if there is none. */
export interface Turn {
  readonly member: string
  readonly balance: Msats
  readonly tried: Tried
  readonly next: NextPayment | undefined
}

export interface NextPayment {
  readonly route: Route
  readonly amount: Msats
  /** The fee limit, which is reserved in addition to the amount. */
  readonly feeLimit: Msats
}

const PAGE_SIZE = 200
/** The number of failures after which each way is given up. */
const MAX_FAILURES = { wallet: 2, address: 2, account: 2, code: 1 } as const
/**
 * The number of attempts after which only a code is tried: an address with small limits would need endless payments.
 */
const MAX_ATTEMPTS = 12
/**
 * The least rest of a balance that is worth another payment. The rest is mostly the last payment's unused fee limit.
 */
const MIN_REST = sats(100)

/** Returns the accounts of all members with a balance of a sat or more, a page at a time. */
export async function* memberAccounts(client: Pick<Tx, 'account'>): AsyncGenerator<readonly Account[]> {
  for (let after = 0; ; ) {
    const where = { kind: 'member', balance: { gte: sats(1) }, id: { gt: after } }
    const accounts = await client.account.findMany({ where, orderBy: { id: 'asc' }, take: PAGE_SIZE })
    const last = accounts.at(-1)
    if (last === undefined) return
    after = last.id
    yield accounts
  }
}

/** Returns all members with a balance of a sat or more, a page at a time, each with the payment to try next. */
export async function* turns(context: CoreContext, windDownId: string): AsyncGenerator<readonly Turn[]> {
  const { read } = context.database
  for await (const accounts of memberAccounts(read)) {
    const members = accounts.map(({ owner }) => owner)
    const [routes, tried, limitOf] = await Promise.all([
      routesOf(read, members),
      triedFor(read, windDownId, members),
      feeLimits(context),
    ])
    yield accounts.map(({ owner: member, balance }) => {
      const before = tried.get(member) ?? NOTHING_TRIED
      const next = nextPayment(msats(balance), routes.get(member) ?? [], before, limitOf)
      return { member, balance: msats(balance), tried: before, next }
    })
  }
}

/** Returns, by member, the ways to these members' own wallets, best first. None of them requires the member to act. */
async function routesOf(
  client: Pick<Tx, 'walletConnection' | 'member' | 'link'>,
  members: readonly string[],
): Promise<Map<string, Route[]>> {
  const [receivers, addresses, links] = await Promise.all([
    receiversOf(client, members),
    client.member.findMany({ where: { id: { in: [...members] }, forwardTo: { not: null }, forgottenAt: null } }),
    liveLinks(client, members),
  ])
  const addressOf = new Map(addresses.map(({ id, forwardTo }) => [id, forwardTo ?? '']))
  return new Map(
    members.map((member) => {
      const receiver = receivers.get(member)
      const [address, link] = [addressOf.get(member), links.get(member)]
      const routes: Route[] = []
      if (receiver?.kind === 'wallet') routes.push({ way: 'wallet', connection: receiver.connection })
      if (address !== undefined) routes.push({ way: 'address', address })
      if (link !== undefined && !link.frozen) routes.push({ way: 'account', link })
      return [member, routes]
    }),
  )
}

function nextPayment(
  balance: Msats,
  routes: readonly Route[],
  { failed, isPaid, isOpen, count }: Tried,
  limitOf: (amount: Msats) => Msats,
): NextPayment | undefined {
  if (isOpen) return undefined
  const all: readonly Route[] = [...(count < MAX_ATTEMPTS ? routes : []), { way: 'code' }]
  const route = all.find(({ way }) => (failed.get(way) ?? 0) < MAX_FAILURES[way])
  if (route === undefined) return undefined
  // Payments to an account at the provider are free.
  const amount = route.way === 'account' ? balance : largestSendable(balance, limitOf)
  if (amount < (isPaid ? MIN_REST : sats(1))) return undefined
  return { route, amount, feeLimit: route.way === 'account' ? msats(0n) : limitOf(amount) }
}
