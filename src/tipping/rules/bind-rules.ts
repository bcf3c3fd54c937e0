import type { TippingContext } from '../engine/tipping-context.ts'
import { createRule, startRule, stopRule } from './change-rules.ts'
import { hearEvent } from './hear-event.ts'
import type { RuleBook } from './rule-book.ts'
import type { Rules } from './rules.ts'
import { listRules } from './view-rule.ts'

export function bindRules(context: TippingContext, book: RuleBook): Rules {
  return {
    create: (command) => createRule(context, book, command),
    list: (guild) => listRules(context, guild),
    start: (decision) => startRule(context, book, decision),
    stop: (decision) => stopRule(context, book, decision),
    watches: (guild, trigger) => book.watches(guild, trigger),
    heard: (event) => hearEvent(context, book, event),
  }
}
