import type { Core } from '../core/core.ts'
import type { GatewayEvent } from '../gateway/events.ts'
import type { InteractionRecord } from '../world/records.ts'
import { noteChange } from './note-change.ts'
import { respond } from './respond.ts'

/**
 * Sends the bot an interaction through the gateway, or over HTTP if the application has an Interactions Endpoint URL.
 * If a repeated delivery (`again`) fails, the person does not see a failure.
 */
export function deliver(core: Core, interactionId: string, event: GatewayEvent, again = false): void {
  const interaction = core.world.interaction(interactionId)
  if (core.endpoint.url === null || interaction === undefined) core.tellBot(event)
  else void byHttp(core, interaction, event, again)
}

/**
 * Delivers an interaction over HTTP. The answer to the request is the bot's first response. If the answer is invalid,
 * the person sees a failure.
 */
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
