import type { ReadonlyBook } from '../core/context.ts'
import { anonymousTips } from './anonymous-tips.ts'
import type { Insights } from './insights.ts'
import { leaderboard } from './leaderboard.ts'
import { changeOfCard, changesIn } from './moderation-log.ts'
import { openDropsIn } from './open-drops.ts'
import { viewRecap } from './recaps.ts'
import { stats } from './stats.ts'

/** Creates the object that reads servers' figures, open drops and moderation logs. */
export function createInsights(context: ReadonlyBook): Insights {
  return {
    leaderboard: (guild, span) => leaderboard(context, guild, span),
    drops: (guild, isShown) => openDropsIn(context, guild, isShown),
    stats: (guild, span) => stats(context, guild, span),
    changes: (guild, most) => changesIn(context, guild, most),
    anonymousTips: (guild, page) => anonymousTips(context, guild, page),
    recap: (id) => viewRecap(context, id),
    changeOfCard: (record) => changeOfCard(context, record),
  }
}
