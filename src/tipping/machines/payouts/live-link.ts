import { msats } from '../../../lib/money/amount.ts'
import { PaymentsError } from '../../../payments-api/payments-api.ts'
import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** Where a member's payouts go. */
export interface LiveLink {
  readonly member: string
  readonly lightningId: string
  readonly gamertag: string
  readonly frozen: boolean
}

/** The links of these members that last, by member. */
export async function liveLinks(client: Pick<Tx, 'link'>, members: readonly string[]): Promise<Map<string, LiveLink>> {
  const links = await client.link.findMany({ where: { member: { in: [...members] }, endedAt: null } })
  return new Map(
    links.map(({ member, lightningId, gamertag, frozenAt }) => [
      member,
      { member, lightningId, gamertag, frozen: frozenAt !== null },
    ]),
  )
}

export async function liveLink(client: Pick<Tx, 'link'>, member: string): Promise<LiveLink | undefined> {
  return (await liveLinks(client, [member])).get(member)
}

/** Notes that this person uses the bot, so that tips to them are credited from now on. */
export async function noteMember(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.member.upsert({ where: { id }, create: { id, seenAt: at }, update: { forgottenAt: null } })
}

/** Turns an answer to a mere question, which moves nothing, into a refusal; anything else is passed on. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error
  return error.kind === 'refused' && error.status !== 503 && error.status !== 429
    ? new TippingRefusal('provider-refused', { message: error.message })
    : new TippingRefusal('provider-unreachable', {})
}

/** All that was ever paid to the gamertag wallet of a member. */
export async function sentToGamertag({ database }: CoreContext, member: string) {
  const sum = await database.read.payout.aggregate({ where: { member, state: 'paid' }, _sum: { amount: true } })
  return msats(sum._sum.amount ?? 0n)
}
