import type { TippingContext } from '../context.ts'
import type { Insights } from './insights.ts'
import { leaderboard } from './leaderboard.ts'
import { openDropsIn } from './open-drops.ts'
import { stats } from './stats.ts'

/** The insights' API. */
export function createInsights(context: TippingContext): Insights {
  return {
    leaderboard: (guild, span) => leaderboard(context, guild, span),
    drops: (guild) => openDropsIn(context, guild),
    stats: (guild, span) => stats(context, guild, span),
  }
}
