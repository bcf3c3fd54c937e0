import type { Fault } from './fault.ts'
import { MEMBERS } from './old-book.ts'

/** The bot's book was begun by an older version, with members and sats in it; the first start brings it up to date. */
export const oldBook: Fault = {
  name: 'a book of an older version',
  setup: { oldBook: true },
  async strike({ world, happened }) {
    // It was there from the first moment, and the bot has worked with it.
    if (world.botBook.rows(`SELECT 1 FROM "Entry" WHERE "operation" LIKE 'old-%'`).length === MEMBERS) happened()
  },
}
