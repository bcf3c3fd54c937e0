/**
 * Returns whether a cursor comes after another one. Every cursor begins with a growing number (an index, or a time),
 * and may continue with a part that distinguishes equal numbers. If one of two different cursors has no number, the
 * first counts as later.
 */
export function isLaterCursor(cursor: string, other: string): boolean {
  const [one, two] = [read(cursor), read(other)]
  if (one === undefined || two === undefined) return cursor !== other
  return one.number > two.number || (one.number === two.number && one.rest > two.rest)
}

function read(cursor: string): { readonly number: bigint; readonly rest: string } | undefined {
  const [, number, rest = ''] = /^(\d+)(?::(.*))?$/.exec(cursor) ?? []
  return number === undefined ? undefined : { number: BigInt(number), rest }
}
