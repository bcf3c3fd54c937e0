import type { Config } from '../../config/config.ts'
import { openDataFolder } from '../../lib/data-folder.ts'
import { lockBook, lockFolder } from '../../lib/folder-lock.ts'

/** A book's owner: the bot or the service. */
export type Side = 'bot' | 'service'

/** The settings that say which books this installation has, and where they are. */
export type BooksConfig = Pick<Config, 'provider' | 'dataFolder' | 'tippingDatabaseUrl'> & {
  readonly service: Pick<Config['service'], 'databaseUrl'>
  readonly custody?: Config['custody']
}

export function urlOf(side: Side, { tippingDatabaseUrl, service }: Omit<BooksConfig, 'provider'>): string {
  return side === 'bot' ? tippingDatabaseUrl : service.databaseUrl
}

/**
 * Locks the data folder for these sides, and then their books, which may be elsewhere, so that no other process uses
 * them. Throws Problem while another process has one of them. Returns a function that releases them. Calls `between`
 * after locking the folder and before anything is created for a future book.
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
