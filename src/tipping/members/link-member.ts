import { PaymentsError } from '../../payments-api/payments-api.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { NOT_FORWARDED } from '../machines/gifts/onward.ts'
import { noteMember } from '../machines/members/note-member.ts'
import { liveLink } from '../machines/payouts/live-link.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import type { Link, LinkCommand } from './members.ts'

/**
 * Binds a member to the Lightning account that owns the gamertag now. Linking again replaces the link, and thaws one
 * that was frozen: the member has said once more where the money shall go. Throws TippingRefusal `gamertag-malformed`,
 * `gamertag-not-found`, `gamertag-linked-elsewhere`, `provider-unreachable` or `provider-refused`.
 */
export async function linkMember(context: TippingContext, command: LinkCommand): Promise<Link> {
  const gamertag = command.gamertag.trim().replace(/^@/, '')
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(gamertag) || /^\.+$/.test(gamertag)) {
    throw new TippingRefusal('gamertag-malformed', { gamertag: gamertag.slice(0, 64) })
  }
  const lightningId = await idOf(context, gamertag)
  return await bindAccount(context, command.member, { lightningId, gamertag })
}

/** Binds a member to a Lightning account. Throws TippingRefusal `gamertag-linked-elsewhere`. */
export async function bindAccount(context: TippingContext, member: string, account: Link): Promise<Link> {
  const { lightningId, gamertag } = account
  return await context.commit({
    write: async (tx) => {
      const holder = await tx.link.findFirst({ where: { lightningId, endedAt: null } })
      if (holder && holder.member !== member) throw new TippingRefusal('gamertag-linked-elsewhere', { gamertag })
      await noteMember(tx, member, now(context))
      await replaceLink(context, tx, { member, lightningId, gamertag })
      await tx.member.update({ where: { id: member }, data: NOT_FORWARDED })
      return { lightningId, gamertag }
    },
  })
}

const USUAL = /^[A-Za-z0-9_-]{3,30}$/

async function idOf(context: TippingContext, gamertag: string): Promise<string> {
  try {
    return (await context.payments.getIdByGamertag({ gamertag })).data.id
  } catch (error) {
    const status = error instanceof PaymentsError && error.kind === 'refused' ? error.status : undefined
    // Names that no wallet gives out are told the rule; the provider has the last word on what there is.
    if (status === 404 && USUAL.test(gamertag)) throw new TippingRefusal('gamertag-not-found', { gamertag })
    if (status === 404 || status === 400) throw new TippingRefusal('gamertag-malformed', { gamertag })
    throw refusalOf(error)
  }
}

async function replaceLink(
  context: TippingContext,
  tx: Tx,
  link: { member: string; lightningId: string; gamertag: string },
): Promise<void> {
  const before = await liveLink(tx, link.member)
  const where = { member: link.member, endedAt: null }
  if (before?.lightningId === link.lightningId) {
    await tx.link.updateMany({ where, data: { gamertag: link.gamertag, frozenAt: null } })
    return
  }
  if (before) await tx.link.updateMany({ where, data: { endedAt: now(context) } })
  await tx.link.create({ data: { id: context.entropy.uuid(), ...link, createdAt: now(context) } })
}
