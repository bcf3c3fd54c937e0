import type { Stage } from '../people/people.ts'
import { nextPost, watchSchedules } from '../people/schedules.ts'
import type { Chance } from '../world/chance.ts'
import { sleepFor } from './sleep-for.ts'

const MINUTE_MS = 60_000
/**
 * The days after which a simulation stops following its schedules: most have ended by then, and other tests cover the
 * rest.
 */
const MAX_DAYS = 3

/**
 * Lives through a few days of schedules: repeatedly stops everything until a schedule's next time is near, or sometimes
 * past. Resolves to whether there was any schedule.
 */
export async function liveThroughSchedules(
  stage: Stage,
  chance: Chance,
  until: (work: Promise<unknown>) => Promise<void>,
): Promise<boolean> {
  const { bot, timeline } = stage.world
  for (let days = 0; ; days += 1) {
    const at = nextPost(stage.world)
    if (at === undefined || days === MAX_DAYS) return days > 0
    const lateMs = chance.happens(0.1) ? 90 * MINUTE_MS : -MINUTE_MS
    await sleepFor(stage.world, Math.max(at + lateMs - timeline.now(), 0), until)
    await timeline.advance(chance.between(2, 10) * MINUTE_MS)
    for (const process of bot.all) if (process.running === undefined) await until(process.start())
    await until(watchSchedules(stage))
    await until(watchSchedules(stage))
  }
}

/** Checks schedules when one is due, as the bots do every few seconds. */
export async function watchWhatIsDue(stage: Stage, until: (work: Promise<unknown>) => Promise<void>): Promise<void> {
  const at = nextPost(stage.world)
  if (at !== undefined && at <= stage.world.timeline.now()) await until(watchSchedules(stage))
}
