import { OUTSIDE_HOST } from '../world/world.ts'
import { look } from './members.ts'
import type { Actor, Stage } from './people.ts'

/**
 * Members who have their tips forwarded to one external Lightning Address, and later to another, until they link or
 * unlink.
 */
export const forwarding: Actor = {
  name: 'forwarding',
  weight: 3,
  async act(stage) {
    const member = stage.member()
    await forward(stage, member, stage.chance.happens(0.7) ? addressOf(member) : addressOf(`${member}.new`))
    if (stage.chance.happens(0.3)) await look(stage, member)
  },
}

/** Returns the external address with this name. */
export function addressOf(name: string): string {
  return `${name}@${OUTSIDE_HOST}`
}

/** Has a member's tips forwarded to this address from now on. Resolves to whether the change was made. */
export async function forward(stage: Stage, member: string, address: string): Promise<boolean> {
  const { judge } = stage.world
  const { links, forwards, withdrawals } = judge
  const command = { member, address, origin: stage.origin() }
  // Forwarding to another address is wrong in any case, so this is noted even if the change failed.
  withdrawals.forwardsTo(member, address)
  const ended = forwards.begins(member, () => new Set([address]))
  const started = stage.insist(`${member} forwards to ${address}`, (tipping) =>
    tipping.forwarding.start(command).then(() => ({})),
  )
  const ending = await started.finally(ended)
  const done = 'done' in ending
  if (done || ending.span.again) {
    links.said(member, null, ending.span, !done)
    forwards.said(member, address, ending.span, !done)
  }
  return done
}

/** An amount to keep that is larger than any balance here will ever be. */
const EVERYTHING = '500k'

/** Members who begin or cease to keep everything here instead of having it sent to their linked wallet or address. */
export const keepers: Actor = {
  name: 'keepers',
  weight: 3,
  async act(stage) {
    await keep(stage, stage.member(), stage.chance.happens(0.6))
  },
}

/** Has all sats that a member receives kept here from now on, or no longer. */
export async function keep(stage: Stage, member: string, keeps: boolean): Promise<void> {
  const command = { member, amount: keeps ? EVERYTHING : '0', origin: stage.origin() }
  const ending = await stage.insist(`${member} keeps ${command.amount} here`, (tipping) =>
    tipping.forwarding.keep(command).then(() => ({})),
  )
  const done = 'done' in ending
  if (done || ending.span.again) stage.world.judge.keepers.said(member, keeps, ending.span, !done)
}
