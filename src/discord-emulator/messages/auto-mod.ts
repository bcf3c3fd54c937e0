import type { Core } from '../core/core.ts'
import type { MessageDraft } from '../rules/messages.ts'
import { blockedByAutoMod } from '../rules/refusal.ts'
import type { InteractionRecord } from '../world/records.ts'

/**
 * Throws a 400 if a server's AutoMod blocks a message or an edit of an application that is not a member there.
 * https://docs.discord.com/developers/change-log (27 June 2024, user-installed apps). AutoMod does not check the
 * messages of bots that are members.
 */
export function mustPassAutoMod(core: Core, { guest, guildId }: InteractionRecord, draft: MessageDraft): void {
  if (guest !== true || guildId === null) return
  const words = core.world.guilds.get(guildId)?.blockedWords ?? []
  if (words.length === 0) return
  const said = JSON.stringify([draft.content, draft.embeds, draft.components]).toLowerCase()
  if (words.some((word) => said.includes(word.toLowerCase()))) throw blockedByAutoMod()
}
