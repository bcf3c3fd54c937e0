import { now } from '../core/context.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { WindDown } from '../generated/client.ts'
import { memberAccounts } from './next-payments.ts'

/**
 * Tells everybody who has a sat or more, once, by a private message in their language. Continues where the last call
 * stopped.
 */
export async function tellEverybody(
  context: TippingContext,
  { id: windDownId }: Pick<WindDown, 'id'>,
  kind: 'told' | 'reminded',
): Promise<void> {
  const { read } = context.database
  for await (const accounts of memberAccounts(read)) {
    if (context.activity.closed) return
    const members = accounts.map(({ owner }) => owner)
    const told = await read.windDownNotice.findMany({ where: { windDownId, kind, member: { in: members } } })
    const known = new Set(told.map(({ member }) => member))
    await tell(
      context,
      members.filter((member) => !known.has(member)).map((member) => ({ windDownId, kind, member })),
    )
  }
}

async function tell(
  context: TippingContext,
  notices: readonly { readonly windDownId: string; readonly kind: string; readonly member: string }[],
): Promise<void> {
  if (notices.length === 0) return
  const createdAt = now(context)
  const rows = notices.flatMap((notice) => {
    const [id, card] = [context.entropy.uuid(), context.entropy.uuid()]
    const audience = { member: notice.member }
    return [
      { table: 'WindDownNotice', values: { id, ...notice, card, createdAt } },
      context.cards.row({ id: card, kind: 'wind-down', record: id, audience }),
    ]
  })
  await context.commit({ rows, write: (tx) => context.ownership.assertHas(tx, 'upkeep') })
}
