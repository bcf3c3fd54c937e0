import { availableParallelism, loadavg } from 'node:os'

/**
 * Returns how many times longer work takes now than on an idle machine: the number of processes for each processor, at
 * least 1.
 */
export function slowdown(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}
