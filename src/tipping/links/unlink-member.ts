import { type Book, now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { NOT_FORWARDED } from '../engine/gifts/onward.ts'
import type { MemberCommand, Unlinked } from './links.ts'

/**
 * Unlinks a member's Lightning account or Lightning Address. The link stays on record. Sums that were reserved for that
 * account or address but not sent stay here.
 */
export async function unlinkMember(context: Book, { member }: MemberCommand): Promise<Unlinked> {
  return await context.commit({
    write: async (tx) => {
      const link = await tx.link.findFirst({ where: { member, endedAt: null } })
      const owner = await tx.member.findFirst({ where: { id: member } })
      if (link === null && owner?.forwardTo == null) throw new TippingRefusal('not-linked', {})
      await tx.member.updateMany({ where: { id: member }, data: { ...NOT_FORWARDED, keepHere: 0n } })
      if (link === null) return { address: owner?.forwardTo ?? '' }
      await tx.link.update({ where: { id: link.id }, data: { endedAt: now(context) } })
      return { lightningId: link.lightningId, gamertag: link.gamertag }
    },
  })
}
