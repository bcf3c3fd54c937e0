import type { Core } from '../core/core.ts'
import type { InteractionRecord } from '../world/records.ts'

/** Stores a changed interaction, and informs its followers. */
export function noteChange(core: Core, interaction: InteractionRecord): void {
  core.world.saveInteraction(interaction)
  core.pending.changed(interaction.id)
  core.tellObservers(() => watched(core, interaction))
}

/** The interaction as watchers see it. */
export function watched(core: Core, interaction: InteractionRecord) {
  return {
    type: 'interaction' as const,
    visibleTo: interaction.userId,
    interaction: core.seen.interaction(interaction),
  }
}
