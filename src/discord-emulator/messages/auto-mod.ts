import type { Core } from '../core/core.ts'
import type { MessageDraft } from '../rules/messages.ts'
import { blockedByAutoMod } from '../rules/refusal.ts'
import type { InteractionRecord } from '../world/records.ts'

/**
 * Applies a server's AutoMod to the messages and edits of an application that is not a member there. Throws a 400, and
 * changes nothing. https://docs.discord.com/developers/change-log (27 June 2024, user-installed apps). AutoMod does not
 * judge bots that are members.
 */
export function mustPassAutoMod(core: Core, { guest, guildId }: InteractionRecord, draft: MessageDraft): void {
  if (guest !== true || guildId === null) return
  const words = core.world.guilds.get(guildId)?.blockedWords ?? []
  if (words.length === 0) return
  const said = JSON.stringify([draft.content, draft.embeds, draft.components]).toLowerCase()
  if (words.some((word) => said.includes(word.toLowerCase()))) throw blockedByAutoMod()
}
