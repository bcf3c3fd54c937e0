import type { RecordKind, Tipping } from '../../tipping/tipping.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/**
 * The kind of record in a `custom_id`. `own`: compared with the person who presses, wherever they are. `nothing`: none
 * of our records is read.
 */
export type Names = RecordKind | 'own' | 'nothing'

/**
 * Refuses a record of another server, or of a private conversation elsewhere. Discord shows a button only where the bot
 * has put it; even if that fails, nobody must decide, claim or read anything that belongs elsewhere. Throws
 * CommandRefusal `stale-button`. The handler reports missing records.
 */
export async function mustBeHere(
  names: Names,
  { record, guild, tipping }: { readonly record: string; readonly guild: string | null; readonly tipping: Tipping },
): Promise<void> {
  if (names === 'own' || names === 'nothing') return
  // The id may be followed by what a form has to remember.
  const [id = ''] = record.split('/')
  const home = await tipping.guildOf(names, id)
  if (home !== undefined && home !== guild) throw new CommandRefusal('commandRefusals.stale-button')
}
