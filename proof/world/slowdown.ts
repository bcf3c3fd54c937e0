import { availableParallelism, loadavg } from 'node:os'

/** How many times longer than on an idle machine something takes now: as many as processes share each processor. At least 1. */
export function slowdown(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}
