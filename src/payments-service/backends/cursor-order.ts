/**
 * Whether a cursor stands after another one. Every cursor begins with a number that grows (an index, or a time) and may
 * go on with what tells apart those of one number. One that is no such thing stands after everything, as it comes later.
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
