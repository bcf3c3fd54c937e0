import type { Chance } from '../../world/chance.ts'

/** The number of blows of each kind against processes and their database. */
export interface Blows {
  readonly kills: number
  readonly crashes: number
  readonly failovers: number
}

export type Blow = 'kill' | 'crash' | 'failover'

/** Returns all blows, shuffled. */
export function planOf({ kills, crashes, failovers }: Blows, chance: Chance): Blow[] {
  const left = { kill: kills, crash: crashes, failover: failovers }
  return Array.from({ length: kills + crashes + failovers }, () => {
    const blow = chance.weighted(left)
    left[blow] -= 1
    return blow
  })
}
