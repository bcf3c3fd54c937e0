import type { RecordKind, Tipping } from '../../tipping/tipping.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/**
 * The kind of record in a `custom_id`. `own`: a record that is compared with the person who presses, in any place.
 * `nothing`: no record of ours is read.
 */
export type Names = RecordKind | 'own' | 'nothing'

/**
 * Throws CommandRefusal `stale-button` for a record of another server, or for a record of a private conversation that
 * is used in a server. Discord shows a button only where the bot has sent it; even if that fails, nobody must decide,
 * claim or read anything that belongs elsewhere. Missing records are reported by the handler.
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
