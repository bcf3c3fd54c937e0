import type { Stage } from '../people/people.ts'
import type { Chance } from '../world/chance.ts'
import type { SimWorld } from '../world/world.ts'
import { ALL_FAULTS } from './all-faults.ts'
import type { Fault, Strike } from './fault.ts'

/** The most kinds of faults that a seed has: few, so that a short life still has depth. */
const MAX_KINDS = 3

/** Draws a seed's kinds of faults from the possible ones. */
export function drawFaults(possible: readonly Fault[], chance: Chance): Fault[] {
  const left = [...possible]
  const drawn: Fault[] = []
  while (drawn.length < MAX_KINDS && left.length > 0) {
    const [fault] = left.splice(chance.between(0, left.length - 1), 1)
    if (fault !== undefined) drawn.push(fault)
  }
  return drawn
}

type Action = () => Promise<void>

/** The plan of when each of a seed's faults strikes, and the count of how often each has really happened. */
export class FaultPlan {
  readonly #chance: Chance
  readonly #due: { readonly step: number; readonly action: Action }[] = []
  readonly #happened: Map<string, number>
  readonly #stage: Stage
  readonly #world: SimWorld
  #step = 0

  constructor(world: SimWorld, stage: Stage, steps: number) {
    this.#chance = world.chance.child('faults')
    this.#world = world
    this.#stage = stage
    this.#happened = new Map(world.drawn.map(({ name }) => [name, 0]))
    for (const fault of ALL_FAULTS.filter(({ name }) => this.#happened.has(name))) {
      for (let strikes = this.#chance.between(1, 3); strikes > 0; strikes -= 1) {
        const step = Math.ceil(steps * (0.05 + 0.85 * this.#chance.fraction()))
        this.#due.push({ step, action: () => fault.strike(this.#strikeOf(fault)) })
      }
    }
  }

  /** Returns how often each drawn kind has happened. */
  get happened(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#happened)
  }

  /** Lets every fault that is due by this step strike. Time passes meanwhile. */
  async strike(step: number): Promise<void> {
    this.#step = step
    for (;;) {
      const at = this.#due.findIndex((due) => due.step <= step)
      const [due] = at < 0 ? [] : this.#due.splice(at, 1)
      if (due === undefined) return
      await due.action()
    }
  }

  /** Completes every postponed part of a fault. */
  async end(): Promise<void> {
    await this.strike(Number.POSITIVE_INFINITY)
  }

  #strikeOf(fault: Fault): Strike {
    const { trace } = this.#world
    trace.note(`fault: ${fault.name}`)
    return {
      world: this.#world,
      stage: this.#stage,
      chance: this.#chance,
      later: (steps, action) => void this.#due.push({ step: this.#step + steps, action }),
      happened: () => void this.#happened.set(fault.name, (this.#happened.get(fault.name) ?? 0) + 1),
    }
  }
}
