import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { AnonymousTip, AnonymousTipsPage } from './insights.ts'

const PAGE_SIZE = 10

/** Returns a page of a server's anonymous tips with their givers, newest first, for the server's moderators. */
export async function anonymousTips(
  { database: { read } }: ReadonlyBook,
  guild: string,
  page: number,
): Promise<AnonymousTipsPage> {
  const tips = await read.tip.findMany({
    where: { guild, anonymous: true },
    include: { shares: { orderBy: { ordinal: 'asc' } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: page * PAGE_SIZE,
    take: PAGE_SIZE + 1,
  })
  const shown = tips.slice(0, PAGE_SIZE).map(
    ({ sender, total, note, createdAt, shares }): AnonymousTip => ({
      ...{ from: sender, total: msats(total), note, at: createdAt },
      to: shares.map(({ recipient }) => recipient),
    }),
  )
  return { tips: shown, isMore: tips.length > PAGE_SIZE }
}
