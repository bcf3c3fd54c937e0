/**
 * Bugs that the simulation does not notice reliably yet, by id, and what it lacks. Name one to try it.
 * If you fill a gap, remove its line. There is none at present.
 */
export const GAPS: ReadonlyMap<string, string> = new Map([])
