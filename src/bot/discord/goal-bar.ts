const LENGTH = 16

/** How far something has come on its way to a goal, both in msats. */
export function goalBar(raised: bigint, goal: bigint): string {
  const full = Math.min(Number((raised * BigInt(LENGTH)) / goal), LENGTH)
  const percent = Math.min(Number((raised * 100n) / goal), 100)
  return `${'▰'.repeat(full)}${'▱'.repeat(LENGTH - full)}  **${percent} %**`
}
