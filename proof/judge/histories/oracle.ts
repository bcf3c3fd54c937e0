import type { Book } from './book.ts'
import { type AskedChange, BEGINNING, type History } from './history.ts'
import { type Line, linesOf, outOfOrder, Places } from './line.ts'

/** How long before a crash, in milliseconds, a read may have seen a commit that the crash undid. */
const CRASH_MS = 2_000

/** An oracle's verdict. */
export interface Verdict {
  /** Sentences about faults; empty if everything holds. */
  readonly faults: string[]
  /**
   * The number of readings shortly before a crash that no moment of the book explains: they showed data that was not
   * durable yet, and nobody was told about it.
   */
  readonly takenBack: number
}

/**
 * Compares what clients learned with the book's final state. It uses the rules of a ledger, and nothing of the
 * program:
 * - acknowledged changes are in the book, once, as requested; refused changes are not, and neither are changes that
 *   nobody requested;
 * - each account holds what its moves sum to, never less than zero, and all accounts sum to zero;
 * - each account is linearizable: there is one order of its moves in which each change, reading and refusal happened at
 *   one moment between request and answer. The oracle tries the book's own order: an order that fits is a proof.
 */
export function judgeHistory(history: History, book: Book): Verdict {
  const changes = new Map(history.changes.map((change) => [change.operation, change]))
  const lines = linesOf(book, changes)
  const { faults, takenBack } = checkReadings(history, lines)
  return {
    takenBack,
    faults: [
      ...checkAnswers(history, book),
      ...[...book.entries.keys()]
        .filter((operation) => operation !== BEGINNING && !changes.has(operation))
        .map((operation) => `${operation} is there, and nobody asked for it`),
      ...checkCounters(history, book),
      ...checkBalances(book, lines),
      ...[...lines].flatMap(([account, line]) =>
        outOfOrder(line).map(
          ([first, second]) =>
            `${account}: ${first.operation} was answered before ${second.operation} was asked for, and comes after it`,
        ),
      ),
      ...faults,
      ...history.snapshots
        .filter(({ sum }) => sum !== 0)
        .map(({ sum }) => `all accounts were seen to hold ${sum} together`),
    ],
  }
}

function checkAnswers({ changes }: History, { entries, moves }: Book): string[] {
  const moveOf = new Map(moves.map((move) => [move.operation, move]))
  return changes.flatMap((change) => {
    const { operation, outcome } = change
    const found = entries.get(operation)
    if (found === undefined) return outcome === 'written' ? [`${operation} was acknowledged, and is lost`] : []
    if (outcome === 'short') return [`${operation} was refused, and is there`]
    if (found.entries !== 1 || found.moves !== 1)
      return [`${operation} is there ${found.entries} times, with ${found.moves} moves`]
    const move = moveOf.get(operation)
    const same = (['from', 'to', 'amount'] as const).every((part) => move?.[part] === change[part])
    return same ? [] : [`${operation} is not what was asked for`]
  })
}

/**
 * Checks the counters: each change reads a counter and writes it back plus one, so one of two simultaneous changes
 * could be lost.
 */
function checkCounters({ changes }: History, { entries, counters }: Book): string[] {
  const counted = new Map<string, number>()
  for (const { counter, operation } of changes) {
    if (counter !== undefined && entries.has(operation)) counted.set(counter, (counted.get(counter) ?? 0) + 1)
  }
  return [...counted]
    .filter(([counter, count]) => counters.get(counter) !== count)
    .map(([counter, count]) => `${counter} was raised ${count} times, and says ${counters.get(counter)}`)
}

function checkBalances({ balances }: Book, lines: ReadonlyMap<string, Line>): string[] {
  const faults: string[] = []
  for (const [account, balance] of balances) {
    const held = lines.get(account)?.held ?? [0]
    if (held.at(-1) !== balance) faults.push(`${account} holds ${balance}, and its moves make ${held.at(-1)}`)
    const worst = held.reduce((least, each) => Math.min(least, each), 0)
    if (worst < 0 && !account.startsWith('wallet ')) faults.push(`${account} held ${worst}`)
  }
  const sum = [...balances.values()].reduce((total, each) => total + each, 0)
  return sum === 0 ? faults : [...faults, `all accounts hold ${sum} together`]
}

function checkReadings({ changes, readings, crashes }: History, lines: ReadonlyMap<string, Line>): Verdict {
  const places = new Map([...lines].map(([account, line]) => [account, new Places(line)]))
  const faults: string[] = []
  let takenBack = 0
  const crashed = ({ answered }: { readonly answered: number }) =>
    crashes.some((crash) => answered > crash - CRASH_MS && answered < crash + CRASH_MS)
  // The moments of answered readings by account, so that time never goes back for anybody.
  const seen = new Map<string, { readonly answered: number; readonly place: number }[]>()
  for (const reading of readings.toSorted((one, other) => one.asked - other.asked)) {
    const before = seen.get(reading.account) ?? []
    seen.set(reading.account, before)
    const least = before.reduce((most, each) => (each.answered < reading.asked ? Math.max(most, each.place) : most), 0)
    const place = places.get(reading.account)?.find(reading, (held) => held === reading.value, least)
    if (place !== undefined) before.push({ answered: reading.answered, place })
    else if (crashed(reading)) takenBack += 1
    else faults.push(`${reading.account} was seen to hold ${reading.value}, which it did not hold then`)
  }
  for (const change of changes) {
    if (change.outcome === 'short' && !couldBeShort(change, places)) {
      faults.push(`${change.operation} was refused, and ${change.from} held enough all the time`)
    }
  }
  return { faults, takenBack }
}

function couldBeShort(change: AskedChange, places: ReadonlyMap<string, Places>): boolean {
  const line = places.get(change.from)
  return line === undefined || line.find(change, (held) => held < change.amount) !== undefined
}
