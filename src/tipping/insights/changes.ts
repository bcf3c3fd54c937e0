import { type Msats, msats } from '../../lib/money/amount.ts'
import type { ModerationAction } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ServerChange } from './insights.ts'

/** The newest entries of a server's moderation log, as far as they can be told to people. */
export async function changesIn({ database }: TippingContext, guild: string, most: number): Promise<ServerChange[]> {
  const entries = await database.read.moderationLogEntry.findMany({
    where: { guild },
    orderBy: { id: 'desc' },
    take: most,
  })
  return entries.map(({ member, action: stored, about, at }) => {
    const facts = JSON.parse(about) as Readonly<Record<string, unknown>>
    const action = stored as ModerationAction
    return {
      ...{ member, action, at },
      amount: amountOf(facts.amount),
      to: textOf(facts.to),
      of: textOf(facts.of),
      role: textOf(facts.role),
      reason: textOf(facts.reason),
      settings: action === 'setting' ? Object.keys(facts) : [],
    }
  })
}

/** Undefined also for a budget that was taken away. */
function amountOf(fact: unknown): Msats | undefined {
  return typeof fact === 'string' && /^\d+$/.test(fact) ? msats(BigInt(fact)) : undefined
}

function textOf(fact: unknown): string | undefined {
  return typeof fact === 'string' && fact !== '' ? fact : undefined
}
