import { now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import type { Link, MemberCommand } from './members.ts'

/** Releases a member's Lightning account. The link is remembered; what was reserved for it and not sent is kept here. */
export async function unlinkMember(context: TippingContext, { member }: MemberCommand): Promise<Link> {
  return await context.commit({
    write: async (tx) => {
      const link = await tx.link.findFirst({ where: { member, endedAt: null } })
      if (link === null) throw new TippingRefusal('not-linked', {})
      await tx.link.update({ where: { id: link.id }, data: { endedAt: now(context) } })
      return { lightningId: link.lightningId, gamertag: link.gamertag }
    },
  })
}
