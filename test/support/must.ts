/** Returns a value without which a test cannot continue; throws if the value is missing. */
export function must<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('there is none')
  return found
}
