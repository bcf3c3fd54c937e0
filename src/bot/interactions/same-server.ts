import type { RecordKind, Tipping } from '../../tipping/tipping.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/**
 * The kind of record in a `custom_id`. `own`: compared with the person who presses, wherever that is; `nothing`: no
 * record of ours is read.
 */
export type Names = RecordKind | 'own' | 'nothing'

/**
 * Refuses what names a record of another server, or of a private conversation elsewhere: Discord shows a button only
 * where the bot has put it, and nobody may come to decide, claim or read what belongs elsewhere if that should fail.
 * Throws CommandRefusal `stale-button`. The handler answers for missing records.
 */
export async function mustBeHere(
  names: Names,
  { record, guild, tipping }: { readonly record: string; readonly guild: string | null; readonly tipping: Tipping },
): Promise<void> {
  if (names === 'own' || names === 'nothing') return
  // Whatever else a form has to remember follows the id.
  const [id = ''] = record.split('/')
  const home = await tipping.guildOf(names, id)
  if (home !== undefined && home !== guild) throw new CommandRefusal('commandRefusals.stale-button')
}
