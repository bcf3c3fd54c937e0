import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The length of a tick of the kernel's accounts, in microseconds (USER_HZ is 100 on every Linux). */
const TICK_US = 10_000

interface Accounts {
  readonly parent: number
  readonly ticks: number
}

/**
 * Returns the processor time used so far by all processes below this one and by their ended children, in microseconds.
 * Undefined without /proc.
 */
export function processorTimeOfChildren(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const all = new Map<number, Accounts>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const accounts = read(name)
    if (accounts !== undefined) all.set(Number(name), accounts)
  }
  const isBelow = ({ parent }: Accounts): boolean => {
    const above = all.get(parent)
    return parent === process.pid || (above !== undefined && isBelow(above))
  }
  const ticks = [...all.values()].filter(isBelow).reduce((sum, accounts) => sum + accounts.ticks, 0)
  return ticks * TICK_US
}

/**
 * Reads a process's parent, utime, stime, cutime and cstime, as in proc(5); undefined for a process that has just
 * ended.
 */
function read(pid: string): Accounts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process's name may contain any character, so reading starts behind it.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) }
  } catch {
    return undefined
  }
}
