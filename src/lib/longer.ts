/** Returns an array that has this index: the given array, or a copy with at least twice the length. */
export function longer<A extends BigInt64Array | Float64Array | Uint32Array | Uint8Array>(array: A, index: number): A {
  if (index < array.length) return array
  const longer = new (array.constructor as new (length: number) => A)(Math.max(index + 1, array.length * 2))
  longer.set(array as never)
  return longer
}
