import type { TippingSettings } from '../../../src/tipping/core/settings.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

/** A community whose bot is to end, with the wallets and addresses of its members. */
export interface Community {
  readonly world: TippingWorld
  readonly members: readonly string[]
  /** The members whose Lightning Addresses no longer return invoices. */
  readonly failing: readonly string[]
  close(): Promise<void>
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** The day of the bot's end; a world's clock begins on 1 January 2030. */
export const BY = '2030-01-03'
/** The interval between two of the bot's sweeps, long enough for days to pass quickly. */
const SWEEP_MS = 6 * HOUR_MS

/** Returns how member number `i` can be paid: by a wallet, an address, an account, or only by a code. */
export function wayOf(i: number): 'wallet' | 'address' | 'account' | 'code' {
  return (['wallet', 'address', 'address', 'account', 'code'] as const)[i % 5] ?? 'code'
}

/** Returns whether a member's address fails: one in three no longer returns invoices. */
function isFailing(i: number): boolean {
  const addresses = Math.floor(i / 5) * 2 + (i % 5)
  return wayOf(i) === 'address' && addresses % 3 === 0
}

/** The number of members who arrive simultaneously. */
const BATCH_SIZE = 50

/**
 * Creates a community of `count` members with different balances, of whom two fifths have an address; one address in
 * three fails.
 */
export async function community(count: number, settings: Partial<TippingSettings> = {}): Promise<Community> {
  const world = await TippingWorld.open({
    wallet: 1_000_000n,
    ownWallets: true,
    settings: { sweepEveryMs: SWEEP_MS, noticeEveryMs: SWEEP_MS, ...settings },
  })
  world.network = 'regtest'
  await world.restart()
  await world.settle()
  await world.fund('alice', 1_000_000)
  // A deposit has its limit.
  for (let funded = 1_000_000; funded < 6_000 * count; funded += 9_000_000) await world.fund('alice', 9_000_000)
  const [good, bad] = [await addressHost(world), await addressHost(world)]
  const members = Array.from({ length: count }, (_, i) => `member-${i}`)
  const failing = members.filter((_, i) => isFailing(i))
  const settle = async (member: string, i: number) => {
    await world.tipping.balances.view(member)
    await world.tip('alice', member, `${1_000 + ((37 * i) % 5_000)}.${String(i % 1_000).padStart(3, '0')}`)
    const way = wayOf(i)
    if (way === 'wallet') await world.connected(member)
    if (way === 'account') await world.linked(member)
    if (way !== 'address') return
    const address = (isFailing(i) ? bad : good).address.replace('bob@', `${member}@`)
    await world.tipping.forwarding.start({ member, address, origin: world.origin() })
  }
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const batch = members.slice(from, from + BATCH_SIZE).map((member, i) => settle(member, from + i))
    await world.run(Promise.all(batch))
  }
  bad.invoice = () => ({ status: 'ERROR', reason: 'no route to this wallet' })
  const close = async () => {
    await Promise.all([good.close(), bad.close()])
    await world.close()
  }
  return { world, members, failing, close }
}

async function addressHost(world: TippingWorld): Promise<AddressHost> {
  const host = await hostAddress(world)
  host.takes = { minSendable: 1_000, maxSendable: 9_000_000_000 }
  host.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [] })
  return host
}

/** Begins the bot's wind-down, by two operators. */
export async function begin({ tipping }: TippingWorld, by = BY): Promise<void> {
  await tipping.windDown.start({ by, operator: 'olga' })
  await tipping.windDown.start({ by, operator: 'oscar' })
}

/** Lets the days before the end and the rounds pass, until only codes are left. */
export async function throughTheRounds(world: TippingWorld): Promise<void> {
  await world.pass(2 * DAY_MS)
  for (let round = -1; round !== (await roundOf(world)); ) {
    round = await roundOf(world)
    await world.pass(2 * SWEEP_MS)
  }
}

async function roundOf(world: TippingWorld): Promise<number> {
  return (await world.tipping.windDown.status())?.round ?? 0
}

/**
 * Returns where each member's balance is, in msats: in their hands, spent on fees, on the claim list, or still here.
 */
export async function whereItIs({ database: { read } }: TippingWorld, member: string) {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, each) => all + each, 0n)
  const withdrawals = await read.withdrawal.findMany({ where: { member, state: 'paid' } })
  const payouts = await read.payout.findMany({ where: { member, state: 'paid' } })
  const claims = await read.windDownClaim.findMany({ where: { kind: 'member', owner: member } })
  const accounts = await read.account.findMany({ where: { owner: member } })
  return {
    paid: sum([...withdrawals, ...payouts].map(({ amount }) => amount)),
    fees: sum(withdrawals.map(({ fee }) => fee ?? 0n)),
    claimed: sum(claims.map(({ amount }) => amount)),
    here: sum(accounts.filter(({ kind }) => kind === 'member').map(({ balance }) => balance)),
  }
}

/** Scans every other code, and lets the rest expire, until none is left. */
export async function useCodes(world: TippingWorld): Promise<void> {
  const { outgoing } = world.provider
  for (;;) {
    const open = [...outgoing.requests.values()].filter(({ status }) => status === 'pending')
    if (open.length === 0) return
    for (const [i, code] of open.entries()) outgoing.end(code, i % 2 === 0 ? 'completed' : 'expired')
    // Codes are asked about ever more seldom; their callback would have it asked at once.
    for (const { body } of open) await world.tipping.hint(world.token(body.callbackUrl ?? ''))
    await world.settle()
    await world.pass(2 * SWEEP_MS)
  }
}
