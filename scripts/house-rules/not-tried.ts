/** Where the people of the simulation are, and those who read everything at its end. */
export const TRIED_BY: readonly string[] = ['proof/people', 'proof/faults', 'proof/simulation', 'proof/world']

export const NOT_TRIED: Readonly<Record<string, string>> = {}
