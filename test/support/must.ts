/** What must be there for a test to go on. */
export function must<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('there is none')
  return found
}
