import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ShardSession, ShardSessions, Shards, ShardsTaken } from './shards.ts'

type Parts = Pick<TippingContext, 'clock' | 'commit' | 'database' | 'ownership'>
type Row = NonNullable<Awaited<ReturnType<Tx['gatewayShard']['findFirst']>>>

/** The changes to the book, and the process's shards after these changes. */
interface Plan {
  readonly taken: ShardsTaken
  /** The free shards to take. */
  readonly free: readonly number[]
  /** Whether the stored rows are for another number of shards. */
  readonly renumbered: boolean
  /** Whether the list of processes that want shards lacks this process, or contains a dead one. */
  readonly joins: boolean
  readonly living: readonly string[]
}

/**
 * The length of a turn: slightly more than five seconds, because Discord counts from the moment when it receives a
 * start.
 */
const TURN_MS = 5_500

export function shareShards(parts: Parts): Shards {
  const { commit, database, ownership } = parts
  const store = async (sessions: ShardSessions, more: { process?: null } = {}, leaves = false) => {
    if (sessions.size === 0 && !leaves) return
    await commit({
      write: async (tx) => {
        for (const [shard, session] of sessions) {
          const data = { ...columnsOf(session), ...more }
          await tx.gatewayShard.updateMany({ where: { shard, process: ownership.me }, data })
        }
        if (!leaves) return
        const where = { process: ownership.me }
        await tx.gatewayShard.updateMany({ where, data: { process: null } })
        await tx.gatewayProcess.deleteMany({ where })
      },
    })
  }
  return {
    async take(recommended) {
      const seen = await plan(parts, database.read, recommended)
      if (!seen.renumbered && !seen.joins && seen.free.length === 0) return seen.taken
      return await commit({
        write: async (tx) => {
          await ownership.assertLive(tx)
          const now = await plan(parts, tx, recommended)
          await carryOut(now, tx, ownership.me)
          return now.taken
        },
      })
    },
    save: (sessions) => store(sessions),
    giveBack: (sessions) => store(sessions, { process: null }),
    leave: (sessions) => store(sessions, { process: null }, true),
    turn: (shard, concurrency) => commit({ write: (tx) => takeTurn(parts, tx, { shard, concurrency }) }),
    whenFree: (run) => ownership.afterEachLook(run),
  }
}

async function takeTurn(
  { clock, ownership }: Parts,
  tx: Tx,
  { shard, concurrency }: { readonly shard: number; readonly concurrency: number },
): Promise<number> {
  await ownership.assertLive(tx)
  const now = clock.now()
  const rows = await tx.gatewayShard.findMany({ where: { begunAt: { gt: new Date(now - TURN_MS) } } })
  const sameTurn = rows.filter((row) => row.shard % concurrency === shard % concurrency)
  const latest = Math.max(...sameTurn.map(({ begunAt }) => begunAt?.getTime() ?? 0))
  // A future time was written by a wrong clock. Nobody waits longer than one turn.
  if (sameTurn.length > 0) return Math.min(latest + TURN_MS - now, TURN_MS)
  await tx.gatewayShard.updateMany({ where: { shard }, data: { begunAt: new Date(now) } })
  return 0
}

async function plan({ ownership }: Parts, client: Tx, recommended: number): Promise<Plan> {
  const living = await ownership.livingIn(client)
  const listed = (await client.gatewayProcess.findMany()).map(({ process }) => process)
  const stored = await client.gatewayShard.findMany({ orderBy: { shard: 'asc' } })
  const isHeld = ({ process }: Row) => process !== null && living.includes(process)
  const count = stored.find(isHeld)?.count ?? Math.max(1, recommended)
  const renumbered = stored.length !== count || stored.some((row) => row.count !== count)
  const rows = renumbered ? Array.from({ length: count }, (_, shard) => nobodys(shard, count)) : stored
  const me = ownership.me
  const wanting = new Set([me, ...listed.filter((process) => living.includes(process))])
  const share = Math.ceil(count / wanting.size)
  const own = rows.filter(({ process }) => process === me)
  // One process at a time starts sessions, because Discord refuses two that start within five seconds.
  const isBegun = rows.some((row) => isHeld(row) && row.process !== me && row.session === null)
  const free = rows
    .filter((row) => !isHeld(row) && (row.session !== null || !isBegun))
    .slice(0, Math.max(0, share - own.length))
  const sessions = [...own, ...free].map((row): [number, ShardSession | undefined] => [row.shard, sessionOf(row)])
  const surplus = own.slice(share).map(({ shard }) => shard)
  return {
    taken: { count, own: new Map(sessions), surplus },
    free: free.map(({ shard }) => shard),
    renumbered,
    joins: !listed.includes(me) || listed.some((process) => !living.includes(process)),
    living,
  }
}

async function carryOut({ taken, free, renumbered, living }: Plan, tx: Tx, process: string): Promise<void> {
  await tx.gatewayProcess.deleteMany({ where: { process: { notIn: [...living] } } })
  await tx.gatewayProcess.upsert({ where: { process }, create: { process }, update: {} })
  if (renumbered) {
    await tx.gatewayShard.deleteMany({})
    const data = Array.from({ length: taken.count }, (_, shard) => nobodys(shard, taken.count))
    await tx.gatewayShard.createMany({ data })
  }
  await tx.gatewayShard.updateMany({ where: { shard: { in: [...free] } }, data: { process } })
}

function nobodys(shard: number, count: number): Row {
  return { shard, count, process: null, begunAt: null, ...columnsOf(undefined) }
}

function columnsOf(session: ShardSession | undefined) {
  const { id = null, resumeUrl = null, sequence = null, intents = null } = session ?? {}
  return { session: id, resumeUrl, sequence, intents }
}

function sessionOf({ session, resumeUrl, sequence, intents }: Row): ShardSession | undefined {
  if (session === null || resumeUrl === null || sequence === null || intents === null) return undefined
  return { id: session, resumeUrl, sequence, intents }
}
