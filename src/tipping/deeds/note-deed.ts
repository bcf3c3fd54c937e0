import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'

/** What moderators did in a server: to its settings, and with its pool. */
export type Deed =
  | 'setting'
  | 'budget'
  | 'fund'
  | 'fundraiser'
  | 'fundraiser-closed'
  | 'reward'
  | 'reward-asked'
  | 'approve'
  | 'deny'
  | 'export'

export interface NewDeed {
  readonly guild: string
  readonly member: string
  readonly deed: Deed
  /** Whatever tells one deed from another; amounts in msats. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Puts a deed on the record, in the transaction that does it. */
export async function noteDeed(context: Pick<TippingContext, 'clock'>, tx: Tx, deed: NewDeed): Promise<void> {
  const about = JSON.stringify(deed.about, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  await tx.deed.create({ data: { guild: deed.guild, member: deed.member, deed: deed.deed, about, at: now(context) } })
}
