import type { Stage } from '../people/people.ts'
import type { Chance } from '../world/chance.ts'
import type { SimWorld } from '../world/world.ts'
import type { DrawnFault } from './drawn-fault.ts'

/** The parts that a fault may use when it strikes. */
export interface Strike {
  readonly world: SimWorld
  readonly stage: Stage
  readonly chance: Chance
  /** Continues the fault after this many steps, or earlier if the calm begins. */
  later(steps: number, action: () => Promise<void>): void
  /** Counts the fault as having really happened. */
  happened(): void
}

/** One kind of fault. A seed draws a few kinds, and each strikes now and then. */
export interface Fault extends DrawnFault {
  /** Makes the fault happen. Time passes meanwhile, and everybody else continues. */
  strike(strike: Strike): Promise<void>
}
