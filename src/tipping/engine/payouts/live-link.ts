import type { Tx } from '../../core/database.ts'

/** The destination of a member's payouts. */
export interface LiveLink {
  readonly member: string
  readonly lightningId: string
  readonly gamertag: string
  readonly frozen: boolean
}

/** Returns those links of these members that have not ended, by member. */
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
