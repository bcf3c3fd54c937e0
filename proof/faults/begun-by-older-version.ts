import type { Fault } from './fault.ts'
import { MEMBERS } from './old-book.ts'

/** An older version began the bot's book, with members and sats in it. The first start migrates it. */
export const oldBook: Fault = {
  name: 'a book of an older version',
  setup: { oldBook: true },
  async strike({ world, happened }) {
    // The old book was there from the first moment, and the bot has worked with it.
    if (world.botBook.rows(`SELECT 1 FROM "Entry" WHERE "operation" LIKE 'old-%'`).length === MEMBERS) happened()
  },
}
