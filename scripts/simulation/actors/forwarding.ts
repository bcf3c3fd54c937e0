import type { Actor } from '../people.ts'
import { OUTSIDE_HOST } from '../world.ts'
import { look } from './members.ts'

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
