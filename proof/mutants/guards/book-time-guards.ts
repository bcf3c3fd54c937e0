import type { Guard } from './guard.ts'

const FAULT = 'book-time'
const CLOCK = 'src/lib/book-clock.ts'
const STORE = 'src/lib/book-time-store.ts'
const KEEPERS = 'test/payments-service/two-services/book-time.test.ts'

/** A place that keeps one time for all processes on a book, and the tests that notice. */
function guard(holds: string, named: string, file: string, text: string, without: string, test = KEEPERS): Guard {
  return { fault: FAULT, holds, places: [{ file, text, without }], test, named }
}

/** What guards a book's time where several processes keep it. */
export const BOOK_TIME_GUARDS: readonly Guard[] = [
  guard(
    'no process writes an earlier time than the book has',
    'write no earlier time',
    STORE,
    'where: { ...where, at: { lt: at } }',
    'where',
  ),
  guard(
    'a process that has not noticed that the time was set writes none',
    'bring no later time again',
    STORE,
    'const where = { id, setNumber }\n',
    'const where = { id, setNumber: (await table.findUnique({ where: { id } }))?.setNumber ?? setNumber }\n',
  ),
  guard(
    'of several processes one sets the time',
    'may set it at the same moment',
    STORE,
    'updateMany({ where: { id, setNumber }, data })',
    'updateMany({ where: { id } as TimeFilter, data })',
  ),
  guard(
    'no process sets the time by its own steadiness beside one that believes its clock',
    'sets nothing, however long',
    CLOCK,
    '    if (this.#clock.monotonic() - this.#otherBelievedAt < STEADY_AFTER_MS) return false\n',
    '',
  ),
  guard(
    'a process that another one has set the time without doubts its clock',
    'of the clock of another machine',
    CLOCK,
    '    else await this.#doubt(store, kept)\n',
    '    else this.#doubt.name\n',
  ),
  guard(
    'a process whose clock is behind the others lets nothing expire',
    'lets nothing expire',
    CLOCK,
    '    if (this.#aheadMs() < -APART_MS) await this.#doubt(store, kept)\n',
    '',
  ),
  guard(
    'a running process takes a confirmation for that of a clock that has gone on since',
    'was set between it and the next look',
    CLOCK,
    'Math.min(sinceMs + TOLERANCE_MS, MAX_STOP_MS)',
    'MAX_STOP_MS',
  ),
  guard(
    'no process starts whose clock is minutes from that of the database’s server',
    'lets no process start',
    CLOCK,
    'throw new ClocksApart(`Satchel',
    'void new ClocksApart(`Satchel',
  ),
  guard(
    'a process whose clock drifts away from that of the database’s server lets nothing expire',
    'drifts away',
    CLOCK,
    '      this.#doubtedSince = this.#clock.monotonic()\n      if (!this.#isApart)',
    '      if (!this.#isApart)',
  ),
  guard(
    'no confirmation is believed of a clock that is apart from that of the database’s server',
    'drifts away',
    CLOCK,
    'this.#isConfirmed(kept, sinceMs) && !this.#isApart',
    'this.#isConfirmed(kept, sinceMs)',
  ),
  guard(
    'the transaction that sets the time back forgets what keys may be sent again',
    'what was sent before the time is set back',
    'src/tipping/time-of-book.ts',
    '    setBackIn: (tx) => forgetReplaysIn(tx, context),\n',
    '',
    'test/tipping/two-bots/book-time.test.ts',
  ),
  guard(
    'what a bot sent before it noticed that the time was set back is not sent again',
    'before it notices',
    CLOCK,
    '    await store.afterSetBack(new Date(this.now()))\n',
    '    this.#setBackAt = Number.NEGATIVE_INFINITY\n',
    'test/tipping/two-bots/book-time.test.ts',
  ),
]
