import type { Tx } from '../../core/database.ts'

/** Records that this person uses the bot, so that later tips to the person are credited. */
export async function noteMember(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.member.upsert({ where: { id }, create: { id, seenAt: at }, update: { forgottenAt: null } })
}
