import type { Stage } from '../people/people.ts'
import type { Chance } from '../world/chance.ts'
import type { SimWorld } from '../world/world.ts'
import type { DrawnFault } from './drawn-fault.ts'

/** The parts that a fault may use when it strikes. */
export interface Strike {
  readonly world: SimWorld
  readonly stage: Stage
  readonly chance: Chance
  /** Continues it after this many steps, or earlier when the calm begins. */
  later(steps: number, action: () => Promise<void>): void
  /** It has really happened, which is counted. */
  happened(): void
}

/** One kind of fault. A seed draws a few; each of them strikes now and then. */
export interface Fault extends DrawnFault {
  /** Brings it about. Time passes meanwhile, and everybody else goes on. */
  strike(strike: Strike): Promise<void>
}
