import type { Stage } from '../people/people.ts'
import { nextPost, watchSchedules } from '../people/schedules.ts'
import type { Chance } from '../world/chance.ts'
import { sleepFor } from './sleep-for.ts'

const MINUTE_MS = 60_000
/** Most have ended by then; those of the others that are still to come, tests play. */
const MAX_DAYS = 3

/**
 * Everything sleeps until the next time of a schedule is near, now and then too long for it, and so on for a few days. Resolves to
 * whether there was anything to live through.
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

/** Looks at schedules where one is due, as the bots do every few seconds. */
export async function watchWhatIsDue(stage: Stage, until: (work: Promise<unknown>) => Promise<void>): Promise<void> {
  const at = nextPost(stage.world)
  if (at !== undefined && at <= stage.world.timeline.now()) await until(watchSchedules(stage))
}
