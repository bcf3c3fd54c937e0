/** Returns a sentence for every name whose balance in msats is wrong. */
export function differences(
  has: ReadonlyMap<string, bigint>,
  expected: ReadonlyMap<string, bigint>,
  who: string,
): string[] {
  return [...new Set([...has.keys(), ...expected.keys()])].flatMap((name) => {
    const [real, right] = [has.get(name) ?? 0n, expected.get(name) ?? 0n]
    if (real === right) return []
    return [`${who} ${name} has ${real} msats, and should have ${right} (${real - right} too many)`]
  })
}
