import type { TippingContext } from '../engine/tipping-context.ts'
import type { Presence } from '../rain/presence.ts'
import { createSchedule, listSchedules, stopSchedule, viewSchedule } from './change-schedules.ts'
import { runDue } from './run-due.ts'
import type { Schedules } from './schedules.ts'

export function bindSchedules(context: TippingContext, presence: Presence): Schedules {
  return {
    create: (command) => createSchedule(context, command),
    list: (guild) => listSchedules(context, guild),
    view: (id) => viewSchedule(context, id),
    stop: (decision) => stopSchedule(context, decision),
    runDue: (help) => runDue(context, presence, help),
  }
}
