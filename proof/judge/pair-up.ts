/**
 * Pairs each item with a different one that fits it, so that as many as possible have a partner (augmenting paths). A
 * greedy choice could give one item the only partner of another.
 */
export function pairUp<One, Other>(
  ones: readonly One[],
  others: readonly Other[],
  fits: (one: One, other: Other) => boolean,
): Map<One, Other> {
  const takenBy = new Map<Other, One>()

  function find(one: One, tried: Set<Other>): boolean {
    for (const other of others) {
      if (tried.has(other) || !fits(one, other)) continue
      tried.add(other)
      const holder = takenBy.get(other)
      if (holder !== undefined && !find(holder, tried)) continue
      takenBy.set(other, one)
      return true
    }
    return false
  }

  for (const one of ones) find(one, new Set())
  return new Map([...takenBy].map(([other, one]) => [one, other]))
}
