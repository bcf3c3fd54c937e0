/** What a test says that waits for what never comes. */
export const NOTHING_HAPPENS = 'it waits, and nothing happens'
