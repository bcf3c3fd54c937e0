import { allRows, type ReadRows } from '../lib/database/engine/reader.ts'
import { type BrokenLink, type Gap, Journal, MAX_LISTED } from './journal.ts'

/**
 * Examines a journal line by line, to locate the faults whose existence a proof shows. Lines are numbered without gaps,
 * each move names the previous moves of both its accounts, and each account names its newest move. So a line that was
 * removed, inserted or moved to another account by anything but the ledger leaves traces. Each fault is a sentence that
 * names the line.
 */
export async function examineJournal(rows: ReadRows, journal = new Journal()): Promise<string[]> {
  await journal.follow(rows)
  return [
    ...journal.gaps.filter(({ table }) => table === 'Entry').map((gap) => inWords(gap, 'entries')),
    ...journal.gaps.filter(({ table }) => table === 'Move').map((gap) => inWords(gap, 'moves')),
    ...(await emptyEntries(rows, journal)),
    ...(await brokenLinks(rows, journal)),
    ...(await wrongNewest(rows, journal)),
  ]
}

function inWords({ table, before, id }: Gap, plural: string): string {
  const [first, last] = [before + 1, id - 1]
  return first === last
    ? `${plural} jump from ${before} to ${id}: ${table.toLowerCase()} ${first} is missing from the journal`
    : `${plural} jump from ${before} to ${id}: ${plural} ${first} to ${last} are missing from the journal`
}

async function emptyEntries(rows: ReadRows, { empty }: Journal): Promise<string[]> {
  const faults: string[] = []
  for (const id of empty) {
    const [row = []] = await allRows(rows('SELECT "operation", "step" FROM "Entry" WHERE "id" = ?', [id]))
    faults.push(`entry ${id} (${row.join(', ')}) has no moves: they were removed`)
  }
  return faults
}

async function brokenLinks(rows: ReadRows, { broken }: Journal): Promise<string[]> {
  const faults: string[] = []
  for (const { move, account, named, real } of broken satisfies readonly BrokenLink[]) {
    const [row] = await allRows(rows('SELECT "kind", "owner" FROM "Account" WHERE "id" = ?', [account]))
    const name = row === undefined ? 'an account that does not exist' : row.join(' ')
    faults.push(
      `move ${move} of ${name} says that it follows ${named || 'nothing'}, but it follows ${real || 'nothing'} in the journal`,
    )
  }
  return faults
}

async function wrongNewest(rows: ReadRows, journal: Journal): Promise<string[]> {
  const faults: string[] = []
  for await (const batch of rows('SELECT "id", "kind", "owner", "lastMoveId" FROM "Account" ORDER BY "id"')) {
    for (const [id, kind, owner, lastMove] of batch) {
      const [named, real] = [Number(lastMove ?? 0), journal.newest(Number(id))]
      if (named === real || faults.length >= MAX_LISTED) continue
      faults.push(
        `the account ${kind} ${owner} says that its newest move is ${named || 'none'}, but the journal says ${real || 'none'}`,
      )
    }
  }
  return faults
}
