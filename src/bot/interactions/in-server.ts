import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Asking } from './command.ts'

/** Returns the asker's server. Throws CommandRefusal `servers-only` outside servers. */
export function serverOf({ guild }: Pick<Asking, 'guild'>): string {
  if (guild === null) throw new CommandRefusal('commandRefusals.servers-only')
  return guild
}

/** Does the same for the server's moderators. Throws CommandRefusal `servers-only` or `moderators-only`. */
export async function serverOfModerator(asking: Pick<Asking, 'guild' | 'caller'>): Promise<string> {
  const guild = serverOf(asking)
  await mustModerate(asking)
  return guild
}

/**
 * Does the same for people who manage the server. Discord alone decides who they are, so no role can promote itself.
 * Throws CommandRefusal `servers-only` or `managers-only`.
 */
export function serverOfManager(asking: Pick<Asking, 'guild' | 'caller'>): string {
  const guild = serverOf(asking)
  if (!asking.caller.manager) throw new CommandRefusal('commandRefusals.managers-only')
  return guild
}

/**
 * Checks again who moderates: everybody sees a button, and the presser may have lost the role since it was drawn.
 * Throws CommandRefusal `moderators-only`.
 */
export async function mustModerate({ caller }: Pick<Asking, 'caller'>): Promise<void> {
  if (!(await caller.moderates())) throw new CommandRefusal('commandRefusals.moderators-only')
}

/** Finds a person in the command's server. Throws CommandRefusal `servers-only`. */
export function personIn({ members, ...asking }: Pick<Asking, 'guild' | 'members'>) {
  const guild = serverOf(asking)
  return (member: string) => members.known(guild, member)
}
