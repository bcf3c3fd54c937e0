import { now, type TippingContext } from '../context.ts'
import type { Link, Tipping } from '../tipping.ts'
import { TippingRefusal } from '../tipping-refusal.ts'

/** Releases a member's Lightning account. The link is remembered; what was reserved for it and not sent is kept here. */
export async function unlinkMember(
  context: TippingContext,
  { member }: Parameters<Tipping['unlink']>[0],
): Promise<Link> {
  return await context.commit({
    write: async (tx) => {
      const link = await tx.link.findFirst({ where: { member, endedAt: null } })
      if (link === null) throw new TippingRefusal('not-linked', {})
      await tx.link.update({ where: { id: link.id }, data: { endedAt: now(context) } })
      return { lightningId: link.lightningId, gamertag: link.gamertag }
    },
  })
}
