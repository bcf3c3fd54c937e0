import type { Tx } from './database.ts'

/** A giver, and the server in which they give; null in a private conversation. */
interface Giver {
  readonly member: string
  readonly guild: string | null
}

/**
 * Returns the keys of a giver's allowance: one for the Discord account, and one for each Lightning account ever linked
 * to it.
 */
export async function allowanceKeys(tx: Pick<Tx, 'link'>, { member, guild }: Giver): Promise<string[]> {
  const links = await tx.link.findMany({ where: { member }, select: { lightningId: true } })
  const place = guild ?? 'direct'
  return [
    `give:${place}:member:${member}`,
    ...[...new Set(links.map((link) => `give:${place}:lightning:${link.lightningId}`))],
  ]
}

/** A gift that was counted. */
interface Counted extends Giver {
  /** The gift's amount in msats. */
  readonly amount: bigint
  /** When the gift was counted. */
  readonly at: Date
}

/** Restores the part of an allowance that a gift took but did not use. */
export async function returnAllowance(tx: Tx, { amount, at, ...giver }: Counted): Promise<void> {
  const day = at.toISOString().slice(0, 10)
  const rows = await tx.usage.findMany({ where: { key: { in: await allowanceKeys(tx, giver) }, day } })
  for (const { key, used } of rows) {
    await tx.usage.update({ where: { key_day: { key, day } }, data: { used: used > amount ? used - amount : 0n } })
  }
}

/** Counts a gift again after its allowance was returned, because the gift was given after all. */
export async function countAllowanceAgain(tx: Tx, { amount, at, ...giver }: Counted): Promise<void> {
  const where = { key: { in: await allowanceKeys(tx, giver) }, day: at.toISOString().slice(0, 10) }
  await tx.usage.updateMany({ where, data: { used: { increment: amount } } })
}
