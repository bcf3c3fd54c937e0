import { timeOfSnowflake } from '../../lib/snowflake-time.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { mustNotBeBlocked } from '../engine/preferences/blocked.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { endSoon } from './end-soon.ts'
import type { EnterGiveaway, GiveawayEntered } from './giveaways.ts'
import { rolesOf } from './role-columns.ts'

const DAY_MS = 86_400_000

/**
 * Enters a member into the draw, at most once for each Discord account and for each Lightning account. A person who
 * enters uses the bot from then on, so a prize belongs to them immediately. `noteActive` stores which members have been
 * active until now. Throws TippingRefusal `giveaway-…` or `blocked`.
 */
export async function enterGiveaway(
  context: TippingContext,
  command: EnterGiveaway,
  noteActive: () => Promise<void>,
): Promise<GiveawayEntered> {
  const { giveaway: id, member, interaction } = command
  const known = await context.database.read.giveaway.findUnique({ where: { id } })
  const server = await context.preferences.inForce(known?.guild ?? null)
  if ((known?.activeDays ?? null) !== null) await noteActive()
  const entered = await context.commit({
    write: async (tx) => {
      const giveaway = await tx.giveaway.findUnique({ where: { id } })
      if (giveaway === null) throw new TippingRefusal('giveaway-not-found', {})
      const entrants = await tx.giveawayEntry.count({ where: { giveawayId: id } })
      const where = { giveawayId_member: { giveawayId: id, member } }
      const { endsAt } = giveaway
      if ((await tx.giveawayEntry.findUnique({ where })) !== null) return { already: true, entrants, endsAt }
      const at = now(context)
      mustBeWelcome(giveaway, command, at)
      await mustBeActive(tx, giveaway, member, at)
      mustNotBeBlocked(server, { id: member, roles: command.entrant.roles })
      const lightningId = await lightningIdOf(tx, member)
      if (lightningId !== null && (await tx.giveawayEntry.count({ where: { giveawayId: id, lightningId } })) > 0) {
        throw new TippingRefusal('giveaway-entered-elsewhere', {})
      }
      await noteMember(tx, member, at)
      if (giveaway.maxEntries !== null && entrants >= giveaway.maxEntries) throw new TippingRefusal('giveaway-full', {})
      const chances = chancesOf(giveaway, command)
      await tx.giveawayEntry.create({
        data: { giveawayId: id, member, lightningId, interaction, chances, createdAt: at },
      })
      await context.cards.raise(tx, [giveaway.card])
      const isLast = giveaway.maxEntries === entrants + 1
      return { already: false, entrants: entrants + 1, endsAt: isLast ? await endSoon(context, tx, giveaway) : endsAt }
    },
  })
  // Its end may have moved while the poller waits for the earlier one.
  if (entered.endsAt.getTime() !== known?.endsAt.getTime()) void context.poller.wake()
  return entered
}

/**
 * Returns a member's number of chances: more than one for holders of the giveaway's bonus role. Everybody has the role
 * with the server's own id.
 */
function chancesOf({ bonusRole, bonusChances, guild }: Giveaway, { entrant }: EnterGiveaway): number {
  const isHolder = bonusRole !== null && (bonusRole === guild || entrant.roles.includes(bonusRole))
  return isHolder ? (bonusChances ?? 1) : 1
}

function mustBeWelcome(giveaway: Giveaway, { member, entrant, interaction }: EnterGiveaway, at: Date): void {
  // Also check Discord's clock: everybody can read that time in the press's id.
  const pressedAt = timeOfSnowflake(interaction) ?? 0
  const endsAt = giveaway.endsAt.getTime()
  if (giveaway.state !== 'open' || at.getTime() >= endsAt || pressedAt >= endsAt)
    throw new TippingRefusal('giveaway-over', {})
  if (giveaway.starter === member) throw new TippingRefusal('giveaway-own', {})
  const { accountDays } = giveaway
  const required = rolesOf(giveaway)
  // Everybody has the role with the server's own id.
  const has = (role: string) => role === giveaway.guild || entrant.roles.includes(role)
  if (required !== undefined && !(required.need === 'all' ? required.ids.every(has) : required.ids.some(has))) {
    throw new TippingRefusal(required.need === 'all' ? 'giveaway-needs-all' : 'giveaway-needs-role', {
      roles: required.ids,
    })
  }
  if (accountDays !== null && at.getTime() - entrant.accountSince.getTime() < accountDays * DAY_MS) {
    throw new TippingRefusal('giveaway-needs-age', { days: accountDays })
  }
}

/**
 * Throws TippingRefusal `giveaway-needs-activity` if the member has not written recently enough. Only messages count as
 * activity, not a press of the button.
 */
async function mustBeActive(tx: Tx, { guild, activeDays: days }: Giveaway, member: string, at: Date): Promise<void> {
  if (days === null) return
  const presence = await tx.presence.findFirst({ where: { guild: guild ?? '', member } })
  if ((presence?.wroteAt?.getTime() ?? 0) < at.getTime() - days * DAY_MS)
    throw new TippingRefusal('giveaway-needs-activity', { days })
}

/**
 * Returns the id of a member's latest Lightning account, even an unlinked one, so that two people cannot enter with the
 * same account.
 */
async function lightningIdOf(tx: Tx, member: string): Promise<string | null> {
  const link = await tx.link.findFirst({ where: { member }, orderBy: { createdAt: 'desc' } })
  return link?.lightningId ?? null
}
