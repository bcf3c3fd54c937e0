import type { Config } from '../../config/config.ts'
import { openDataFolder } from '../../lib/data-folder.ts'
import { lockBook, lockFolder } from '../../lib/folder-lock.ts'

/** The owner of a book: the bot or the service. */
export type Side = 'bot' | 'service'

/** Where the books and what belongs to them are. */
export type BooksConfig = Pick<Config, 'provider' | 'dataFolder' | 'tippingDatabaseUrl'> & {
  readonly service: Pick<Config['service'], 'databaseUrl'>
}

export function urlOf(side: Side, { tippingDatabaseUrl, service }: Omit<BooksConfig, 'provider'>): string {
  return side === 'bot' ? tippingDatabaseUrl : service.databaseUrl
}

/**
 * Keeps other processes from working on the books of these sides, and on the data folder for them: by the folder, and by the books
 * themselves, which may be elsewhere. Throws Problem while another process has one of them. Returns what lets go. `between` comes when the
 * folder is held, and nothing is made where a book is to be yet.
 */
export function holdBooks(
  config: Omit<BooksConfig, 'provider'>,
  sides: readonly Side[],
  between: () => void = () => undefined,
): () => void {
  const held = [lockFolder(openDataFolder(config.dataFolder), ...sides)]
  const letGo = () => {
    for (const unlock of held.splice(0)) unlock()
  }
  try {
    between()
    for (const side of sides) held.push(lockBook(urlOf(side, config)))
    return letGo
  } catch (error) {
    letGo()
    throw error
  }
}
