import type { Chance } from '../../world/chance.ts'

/** How often what happens to processes and to their database. */
export interface Blows {
  readonly kills: number
  readonly crashes: number
  readonly failovers: number
}

export type Blow = 'kill' | 'crash' | 'failover'

/** All blows, shuffled. */
export function planOf({ kills, crashes, failovers }: Blows, chance: Chance): Blow[] {
  const left = { kill: kills, crash: crashes, failover: failovers }
  return Array.from({ length: kills + crashes + failovers }, () => {
    const blow = chance.weighted(left)
    left[blow] -= 1
    return blow
  })
}
