/**
 * Bugs that the simulation does not notice reliably yet, by id, and what it lacks: none at present. Name one to try it.
 * If you fill a gap, remove its line.
 */
export const GAPS: ReadonlyMap<string, string> = new Map([])
