import { uniform } from '../../lib/entropy.ts'
import type { TippingContext } from '../context.ts'
import type { PendingTip, TipCommand, TipView } from '../tipping.ts'
import { TippingRefusal } from '../tipping-refusal.ts'
import { requireConfirmation } from '../tips/confirmation.ts'
import { performTip } from '../tips/send-tip.ts'
import { viewTip } from '../tips/view-tip.ts'
import type { Presence } from './presence.ts'
import type { RainCommand } from './rain.ts'

/** Shares an amount out among those who were active of late, all of them or so many at random. */
export async function letItRain(context: TippingContext, presence: Presence, command: RainCommand): Promise<TipView> {
  const { from, guild, amount, people, activeWithinMinutes, among, origin } = command
  const content = [from, guild, amount, people ?? null, activeWithinMinutes, among === undefined]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'rain', content }, async (digest) =>
    performTip(context, { kind: 'rain', digest, command: await rainOn(context, presence, command) }),
  )
  return await viewTip(context, id)
}

/** The same; more than goes with one word is asked about first, with the people chosen now. */
export async function askToRain(
  context: TippingContext,
  presence: Presence,
  command: RainCommand,
): Promise<TipView | PendingTip> {
  const asked = await requireConfirmation(context, command.origin, async () => ({
    kind: 'rain',
    command: await rainOn(context, presence, command),
  }))
  return asked ?? (await letItRain(context, presence, command))
}

/** Sharing out one amount is what `split` does; it makes no difference for one person alone. */
async function rainOn(context: TippingContext, presence: Presence, command: RainCommand): Promise<TipCommand> {
  const { from, fromName, accountSince, amount, origin } = command
  const to = (await choose(context, presence, command)).map((member) => ({ id: member, bot: false }))
  return { from, fromName, accountSince, to, amount, split: true, origin }
}

async function choose(context: TippingContext, presence: Presence, command: RainCommand): Promise<string[]> {
  const { from, guild, people, activeWithinMinutes, among } = command
  const since = new Date(context.clock.now() - activeWithinMinutes * 60_000)
  const allowed = among === undefined ? undefined : new Set(among)
  const active = (await presence.since(guild, since)).filter((id) => id !== from && (allowed?.has(id) ?? true))
  if (active.length === 0) throw new TippingRefusal('nobody-active', {})
  const most = context.settings.maxRecipients
  if (people === undefined) {
    if (active.length > most) throw new TippingRefusal('too-many-recipients', { most })
    return active
  }
  const chosen: string[] = []
  while (chosen.length < people && active.length > 0) {
    chosen.push(...active.splice(uniform(context.entropy, active.length), 1))
  }
  return chosen
}
