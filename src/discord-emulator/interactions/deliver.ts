import type { Core } from '../core/core.ts'
import type { GatewayEvent } from '../gateway/events.ts'
import type { InteractionRecord } from '../world/records.ts'
import { noteChange } from './note-change.ts'
import { respond } from './respond.ts'

/**
 * Tells the bot of an interaction: over the gateway, or by HTTP where the application has an address for that. The fate
 * of a surplus delivery (`again`) is no concern of the person.
 */
export function deliver(core: Core, interactionId: string, event: GatewayEvent, again = false): void {
  const interaction = core.world.interaction(interactionId)
  if (core.endpoint.url === null || interaction === undefined) core.tellBot(event)
  else void byHttp(core, interaction, event, again)
}

/** The request's answer is the first response. The person sees a failure for one that does not fit. */
async function byHttp(core: Core, interaction: InteractionRecord, event: GatewayEvent, again: boolean): Promise<void> {
  const delivered = await core.endpoint.deliver(core.endpoint.sign(event.data(true)))
  if ('callback' in delivered || interaction.state !== 'waiting') return
  try {
    if ('response' in delivered) respond(core, interaction.id, interaction.token, delivered.response, [])
    else throw new Error(delivered.failed)
  } catch {
    if (again) return
    core.pending.met(interaction)
    interaction.state = 'failed'
    noteChange(core, interaction)
  }
}
