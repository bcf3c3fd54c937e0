import type { Recipient } from '../../tipping/tipping.ts'
import type { Asking, Mentioned } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { mention } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** The most people to whom a tip can go. Larger roles are refused before their members are listed. */
const MAX_HOLDERS = 1_000

/**
 * Returns a tip's recipients: the picked member or role, and everybody mentioned in `also`, each once. Leaves bots and
 * the giver out of a role. Does not leave out people who are picked individually, so that tipping explains the refusal.
 * Throws CommandRefusal if `also` mentions nobody, or mentions a person who is not a member.
 */
export async function recipients(asking: Asking, to: Mentioned, also: string | undefined): Promise<Recipient[]> {
  const found = new Map<string, Recipient>()
  for (const mentioned of [to, ...mentionedIn(also)]) {
    for (const recipient of await resolve(asking, mentioned)) {
      // Named people stay recipients, whatever happens to the role.
      if (recipient.role === undefined || !found.has(recipient.id)) found.set(recipient.id, recipient)
    }
  }
  asking.willName([...found.keys()])
  return [...found.values()]
}

type Unresolved = Mentioned | { readonly kind: 'somebody'; readonly id: string }

function mentionedIn(text: string | undefined): Unresolved[] {
  if (text === undefined) return []
  const mentioned = [...text.matchAll(/<@([!&]?)(\d{1,20})>/g)].map(
    ([, mark, id = '']): Unresolved => ({ kind: mark === '&' ? 'role' : 'somebody', id }),
  )
  if (mentioned.length === 0) throw new CommandRefusal('commandRefusals.no-mentions', { text: quotable(text) })
  return mentioned
}

async function resolve({ member, members, ...asking }: Asking, mentioned: Unresolved): Promise<Recipient[]> {
  if (mentioned.kind === 'member') return [{ id: mentioned.id, bot: mentioned.bot }]
  const guild = serverOf(asking)
  if (mentioned.kind === 'role') {
    const holders = await members.withRole(guild, mentioned.id, MAX_HOLDERS)
    const others = holders.filter((holder) => !holder.bot && holder.id !== member)
    return others.map((holder) => ({ ...holder, role: mentioned.id }))
  }
  const found = await members.find(guild, mentioned.id)
  if (found === undefined) throw new CommandRefusal('commandRefusals.not-a-member', { who: mention(mentioned.id) })
  return [found]
}
