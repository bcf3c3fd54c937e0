import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { CallBudget, PermitsAsked, PermitsGranted } from './call-budget.ts'
import { dividePermits } from './divide-permits.ts'

type Parts = Pick<TippingContext, 'clock' | 'commit' | 'database' | 'ownership'>
type Row = NonNullable<Awaited<ReturnType<Tx['callPermits']['findFirst']>>>

/**
 * How long Discord counts invalid calls.
 * https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const INVALID_COUNT_FOR_MS = 10 * 60_000

export function sharePermits(parts: Parts): CallBudget {
  const { commit, database, ownership } = parts
  /** The id to which the permits were granted. Under another id the process has none of them. */
  let grantedTo: string | undefined
  return {
    alone: ownership.alone,
    isLive: () => grantedTo === ownership.me && ownership.isLive(),
    async ask(asked) {
      const seen = judge(parts, asked, await readBook(parts, database.read))
      if (grantedTo === seen.row.process && isKept(seen.row, seen.before)) return seen.granted
      const { granted, row } = await commit({
        write: async (tx) => {
          await ownership.assertLive(tx)
          const book = await readBook(parts, tx)
          const judged = judge(parts, asked, book)
          await forget(parts, tx, book.living)
          const { process, ...said } = judged.row
          await tx.callPermits.upsert({ where: { process }, create: judged.row, update: said })
          return judged
        },
      })
      grantedTo = row.process
      return granted
    },
    afterEachRound: (run) => ownership.afterEachLook(run),
  }
}

interface BookRead {
  readonly living: readonly string[]
  readonly rows: readonly Row[]
}

async function readBook({ ownership }: Parts, client: Tx): Promise<BookRead> {
  return { living: await ownership.livingIn(client), rows: await client.callPermits.findMany() }
}

function judge(parts: Parts, { keeps, wanted, invalid, pool }: PermitsAsked, { living, rows }: BookRead) {
  const process = parts.ownership.me
  const before = rows.find((row) => row.process === process)
  const others = rows.filter((row) => row.process !== process)
  const neighbours = others.filter((row) => living.includes(row.process))
  // Never more than the book contains: further ones may be another process's.
  const kept = Math.min(keeps, before?.permits ?? 0)
  const free = pool - kept - neighbours.reduce((sum, { permits }) => sum + permits, 0)
  const [target = 0] = dividePermits(pool, [wanted, ...neighbours.map(wantedOf)])
  const granted = kept + Math.max(0, Math.min(target - kept, free))
  const at = now(parts)
  const recent = others.filter((row) => at.getTime() - row.at.getTime() < INVALID_COUNT_FOR_MS)
  const invalidOfOthers = recent.reduce((sum, row) => sum + row.invalid, 0)
  const { answer: answers, card: cards, background } = wanted
  const row: Row = { process, permits: granted, answers, cards, background, invalid, at }
  return { before, row, granted: { granted, target, invalidOfOthers } satisfies PermitsGranted }
}

/** Returns whether the book already contains this row. */
function isKept(row: Row, before: Row | undefined): boolean {
  if (before === undefined) return false
  const { at: _, ...said } = row
  return Object.entries(said).every(([name, value]) => before[name as keyof Row] === value)
}

function wantedOf({ answers, cards, background }: Row) {
  return { answer: answers, card: cards, background }
}

/** Deletes the rows of processes that are gone, but only when Discord no longer counts their calls. */
async function forget(parts: Parts, tx: Tx, living: readonly string[]): Promise<void> {
  const at = { lt: new Date(now(parts).getTime() - INVALID_COUNT_FOR_MS) }
  await tx.callPermits.deleteMany({ where: { process: { notIn: [...living] }, at } })
}
