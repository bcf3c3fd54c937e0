import type { Tx } from '../core/database.ts'
import type { Way } from './wind-down.ts'

type Reads = Pick<Tx, 'windDownAttempt' | 'withdrawal' | 'payout'>
type ReadsAll = Reads & Pick<Tx, 'addressLine'>

/** The outcomes of all attempts so far to pay one member. */
export interface Tried {
  /** How often each way has failed for a reason that concerns the way itself. */
  readonly failed: ReadonlyMap<Way, number>
  /** Whether a payment has arrived. */
  readonly isPaid: boolean
  /** Whether an attempt has no outcome yet, in which case nothing else is tried. */
  readonly isOpen: boolean
  readonly count: number
  /** The latest round in which anything was tried. */
  readonly round: number
}

export const NOTHING_TRIED: Tried = { failed: new Map(), isPaid: false, isOpen: false, count: 0, round: 0 }

type End = 'paid' | 'failed' | 'held-up' | 'open'

/** Reasons that concern no way of paying: the bot was stopped, or payments were paused. */
const HELD_UP = ['interrupted', 'paused']
const OPEN_STATES = ['reserved', 'sending', 'unknown', 'offered', 'claimed']
/** The open states that can end without operators. */
const MOVING_STATES = OPEN_STATES.filter((state) => state !== 'unknown')

/** Returns the attempts to pay these members, by member. Members without attempts are missing. */
export async function triedFor(
  client: Reads,
  windDownId: string,
  members: readonly string[],
): Promise<Map<string, Tried>> {
  const attempts = await client.windDownAttempt.findMany({ where: { windDownId, member: { in: [...members] } } })
  const ends = await endsOf(
    client,
    attempts.flatMap(({ payment }) => (payment === null ? [] : [payment])),
  )
  const tried = new Map<string, Tried>()
  for (const { member, way, payment, round } of attempts) {
    const before = tried.get(member) ?? NOTHING_TRIED
    const end = payment === null ? 'failed' : (ends.get(payment) ?? 'open')
    const failed = new Map(before.failed)
    if (end === 'failed') failed.set(way as Way, (failed.get(way as Way) ?? 0) + 1)
    tried.set(member, {
      failed,
      isPaid: before.isPaid || end === 'paid',
      isOpen: before.isOpen || end === 'open',
      count: before.count + 1,
      round: Math.max(before.round, round),
    })
  }
  return tried
}

async function endsOf({ withdrawal, payout }: Reads, ids: readonly string[]): Promise<Map<string, End>> {
  const query = { where: { id: { in: [...ids] } }, select: { id: true, state: true, because: true } }
  const rows = [...(await withdrawal.findMany(query)), ...(await payout.findMany(query))]
  return new Map(rows.map(({ id, state, because }) => [id, endOf(state, because)]))
}

function endOf(state: string, because: string | null): End {
  if (OPEN_STATES.includes(state)) return 'open'
  if (state === 'paid') return 'paid'
  return HELD_UP.includes(because ?? '') ? 'held-up' : 'failed'
}

/**
 * Returns how many payments are under way: payments of rounds, including those of stopped wind-downs, and payments of
 * lists to Lightning Addresses, whose sats may return to a pool. Does not count payments whose outcome is unknown,
 * which operators decide.
 */
export async function underWay(client: ReadsAll): Promise<number> {
  let count = await client.addressLine.count({ where: { state: 'waiting' } })
  count += await client.withdrawal.count({ where: { pool: { not: null }, state: { in: MOVING_STATES } } })
  for (let after = ''; ; ) {
    const where = { payment: { not: null }, id: { gt: after } }
    const page = await client.windDownAttempt.findMany({ where, orderBy: { id: 'asc' }, take: 500 })
    const id = { in: page.flatMap(({ payment }) => (payment === null ? [] : [payment])) }
    const moving = { where: { id, state: { in: MOVING_STATES } } }
    count += (await client.withdrawal.count(moving)) + (await client.payout.count(moving))
    const last = page.at(-1)
    if (last === undefined) return count
    after = last.id
  }
}
