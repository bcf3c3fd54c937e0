/** Returns the median: the middle value, or the upper one of two. NaN for no values. */
export function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
