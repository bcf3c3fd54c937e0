/** A measurement beside its goal. */
export interface Goal {
  readonly what: string
  readonly measured: number
  readonly goal: { readonly minimum: number } | { readonly maximum: number }
}

/**
 * Returns a line for each goal: the measurement, the goal, and whether it is met or the factor by which it is missed.
 */
export function describeGoals(goals: readonly Goal[]): string[] {
  return goals.map(({ what, measured, goal }) => {
    const [bound, missedBy] =
      'minimum' in goal
        ? [`at least ${goal.minimum}`, goal.minimum / measured]
        : [`at most ${goal.maximum}`, measured / goal.maximum]
    const outcome = missedBy <= 1 ? 'met' : `missed by a factor of ${missedBy.toFixed(2)}`
    return `${what.padEnd(62)} ${figure(measured).padStart(6)}   goal: ${bound.padEnd(13)} ${outcome}`
  })
}

function figure(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(2)
}
