import { OUTSIDE_HOST } from '../world/world.ts'
import { look } from './members.ts'
import type { Actor, Stage } from './people.ts'

/** Members have what they are tipped sent on to a Lightning Address out there, until they link or unlink. */
export const forwarding: Actor = {
  name: 'forwarding',
  weight: 3,
  async act(stage) {
    const { links, withdrawals } = stage.world.judge
    const member = stage.member()
    const command = { member, address: `${member}@${OUTSIDE_HOST}`, origin: stage.origin() }
    // Whether or not it was done: what goes to another address is wrong in any case.
    withdrawals.forwardsTo(member, command.address, stage.world.judge.now())
    const ending = await stage.insist(`${member} forwards to ${command.address}`, (tipping) =>
      tipping.forwarding.start(command).then(() => ({})),
    )
    if ('done' in ending || ending.span.again) links.said(member, null, ending.span, !('done' in ending))
    if (stage.chance.happens(0.3)) await look(stage, member)
  },
}

/** More than anybody here will ever have. */
const EVERYTHING = '500k'

/** Members who are linked, or have tips sent on, keep everything here all the same, or nothing again. */
export const keepers: Actor = {
  name: 'keepers',
  weight: 3,
  async act(stage) {
    await keep(stage, stage.member(), stage.chance.happens(0.6))
  },
}

/** Has all that a member gets stay here from now on, or go on as before. */
export async function keep(stage: Stage, member: string, keeps: boolean): Promise<void> {
  const command = { member, amount: keeps ? EVERYTHING : '0', origin: stage.origin() }
  const ending = await stage.insist(`${member} keeps ${command.amount} here`, (tipping) =>
    tipping.forwarding.keep(command).then(() => ({})),
  )
  const done = 'done' in ending
  if (done || ending.span.again) stage.world.judge.keepers.said(member, keeps, ending.span, !done)
}
