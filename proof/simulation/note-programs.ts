import type { Tipping } from '../../src/tipping/tipping.ts'
import type { KeyReward } from '../judge/programs.ts'
import type { SimWorld } from '../world/world.ts'

const REWARDS = `SELECT r."id", r."apiKey", r."requester", r."recipient", r."amount", r."state", o."interaction", r."createdAt"
  FROM "Reward" r JOIN "Operation" o ON o."id" = r."id" WHERE r."apiKey" IS NOT NULL`
const PAGE = 500

type Row = Omit<KeyReward, 'atMs'> & { readonly createdAt: string | number | bigint | Date }

/** Has the judge look at every reward that keys gave, and at what readers of events were told. */
export async function notePrograms({ judge, botBook }: SimWorld, { serverEvents }: Tipping): Promise<void> {
  const rows = botBook.rows<Row>(REWARDS)
  const msOf = (at: Row['createdAt']) => new Date(typeof at === 'bigint' ? Number(at) : at).getTime()
  judge.programs.judge(rows.map(({ createdAt, ...reward }) => ({ ...reward, atMs: msOf(createdAt) })))
  const ids: number[] = []
  for (let cursor = 0; ; ) {
    const page = await serverEvents.after(cursor, PAGE)
    ids.push(...page.events.map(({ id }) => id))
    if (page.cursor === cursor) break
    cursor = page.cursor
  }
  judge.programs.mustHaveHeard(ids)
}
