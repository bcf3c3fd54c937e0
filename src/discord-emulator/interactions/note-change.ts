import type { Core } from '../core/core.ts'
import type { InteractionRecord } from '../world/records.ts'

/** Stores a changed interaction, and informs its followers and the observers. */
export function noteChange(core: Core, interaction: InteractionRecord): void {
  core.world.saveInteraction(interaction)
  core.pending.changed(interaction.id)
  core.tellObservers(() => watched(core, interaction))
}

/** Returns the event that tells observers about an interaction. */
export function watched(core: Core, interaction: InteractionRecord) {
  return {
    type: 'interaction' as const,
    visibleTo: interaction.userId,
    interaction: core.seen.interaction(interaction),
  }
}
