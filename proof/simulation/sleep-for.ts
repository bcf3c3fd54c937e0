import type { SimWorld } from '../world/world.ts'

/**
 * Stops all processes, and restarts them after `ms`, so that work due meanwhile is late. An operator confirms the
 * clocks, as after every long stop, or else nothing would expire for a day. `until` lets time pass until the given work
 * is done.
 */
export async function sleepFor(
  { timeline, trace, bot, service, services }: SimWorld,
  ms: number,
  until: (work: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const processes = [...bot.all, ...services]
  trace.note('everything is stopped for a while')
  for (const process of processes) process.held = true
  await until(Promise.all(processes.map((process) => process.finish())))
  // In this order, not in that of their servers' answers, so that a seed repeats exactly.
  for (const process of processes) process.kill()
  await timeline.advance(ms)
  for (const process of [bot, service]) await process.confirmClock()
  for (const process of processes) process.held = false
  for (const process of [...processes].reverse()) await until(process.start())
}
