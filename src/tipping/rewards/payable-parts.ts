import { TippingRefusal } from '../core/tipping-refusal.ts'
import { isBlocked } from '../engine/preferences/blocked.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { recipientsHere } from './address-recipients.ts'
import type { PersonInServer } from './lists.ts'

/**
 * Checks whether everybody in a split may be paid now. This check is needed when the split is saved, when it is to be
 * paid, and when that payment is confirmed or approved. Throws TippingRefusal `split-left`, `split-bot`,
 * `split-blocked`, `split-address-here` or `split-forgotten`, with all people concerned.
 */
export async function mustBePayable(
  context: TippingContext,
  { guild, person }: { readonly guild: string; readonly person: PersonInServer },
  parts: readonly { readonly recipient: string; readonly address?: string | undefined }[],
): Promise<void> {
  if (parts.some(({ address }) => address === '')) throw new TippingRefusal('split-forgotten', {})
  const addresses = parts.flatMap(({ address }) => address ?? [])
  const members = parts.filter(({ address }) => address === undefined).map(({ recipient }) => recipient)
  const [here, known, preferences] = await Promise.all([
    recipientsHere(context.database.read, addresses),
    Promise.all(members.map(async (id) => ({ id, found: await person(id) }))),
    context.preferences.inForce(guild),
  ])
  const whose = (test: (one: (typeof known)[number]) => boolean) => known.filter(test).map(({ id }) => id)
  const left = whose(({ found }) => found === undefined)
  if (left.length > 0) throw new TippingRefusal('split-left', { people: left })
  const bots = whose(({ found }) => found?.bot === true)
  if (bots.length > 0) throw new TippingRefusal('split-bot', { people: bots })
  const blocked = whose(({ id, found }) => isBlocked(preferences, { id, roles: found?.roles ?? [] }))
  if (blocked.length > 0) throw new TippingRefusal('split-blocked', { people: blocked })
  const filling = parts.filter(({ recipient }) => here.has(recipient)).flatMap(({ address }) => address ?? [])
  if (filling.length > 0) throw new TippingRefusal('split-address-here', { people: filling })
}
