/**
 * Starts a measurement. The returned function returns the processor time, in ms, that this process has used since then,
 * which other work on the machine does not lengthen.
 */
export function processorTime(): () => number {
  const begun = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1_000
  }
}
