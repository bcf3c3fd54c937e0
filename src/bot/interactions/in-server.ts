import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Asking } from './command.ts'

/** Returns the asker's server. Throws CommandRefusal `servers-only` outside servers. */
export function serverOf({ guild }: Pick<Asking, 'guild'>): string {
  if (guild === null) throw new CommandRefusal('commandRefusals.servers-only')
  return guild
}

/** Returns the asker's server, for its moderators only. Throws CommandRefusal `servers-only` or `moderators-only`. */
export async function serverOfModerator(asking: Pick<Asking, 'guild' | 'caller'>): Promise<string> {
  const guild = serverOf(asking)
  await mustModerate(asking)
  return guild
}

/**
 * Returns the asker's server, for people who may manage it. Discord alone decides who these are, so no moderator role
 * can promote itself. Throws CommandRefusal `servers-only` or `managers-only`.
 */
export function serverOfManager(asking: Pick<Asking, 'guild' | 'caller'>): string {
  const guild = serverOf(asking)
  if (!asking.caller.manager) throw new CommandRefusal('commandRefusals.managers-only')
  return guild
}

/**
 * Throws CommandRefusal `moderators-only` unless the person moderates the server. Everybody sees a button, and the
 * person may have lost the role since the button was drawn.
 */
export async function mustModerate({ caller }: Pick<Asking, 'caller'>): Promise<void> {
  if (!(await caller.moderates())) throw new CommandRefusal('commandRefusals.moderators-only')
}

/**
 * Returns the function that looks up a person in the command's server. Throws CommandRefusal `servers-only` outside
 * servers.
 */
export function personIn({ members, ...asking }: Pick<Asking, 'guild' | 'members'>) {
  const guild = serverOf(asking)
  return (member: string) => members.known(guild, member)
}
