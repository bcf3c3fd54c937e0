import type { Core } from '../core/core.ts'
import type { MessageDraft } from '../rules/messages.ts'
import { blockedByAutoMod } from '../rules/refusal.ts'
import type { InteractionRecord } from '../world/records.ts'

/**
 * A server's AutoMod judges what an application says there that is not a member, in edits too: a 400, and nothing is changed.
 * https://docs.discord.com/developers/change-log (27 June 2024, user-installed apps). Bots that are members are not judged.
 */
export function mustPassAutoMod(core: Core, { guest, guildId }: InteractionRecord, draft: MessageDraft): void {
  if (guest !== true || guildId === null) return
  const words = core.world.guilds.get(guildId)?.blockedWords ?? []
  if (words.length === 0) return
  const said = JSON.stringify([draft.content, draft.embeds, draft.components]).toLowerCase()
  if (words.some((word) => said.includes(word.toLowerCase()))) throw blockedByAutoMod()
}
