import { type Client, Events, GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'
import { guildOf } from '../interactions/guest.ts'

/**
 * Notes, for rain, that somebody wrote a message or used a command, but nothing of its content. Ignores bots and
 * webhooks. Reads raw events, because discord.js reports only messages in channels that it knows.
 */
export function hearActivity(client: Pick<Client, 'on'>, { rain }: Pick<Tipping, 'rain'>): void {
  client.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
    if (t !== GatewayDispatchEvents.MessageCreate || d.guild_id === undefined) return
    if (d.webhook_id === undefined && !d.author.bot) rain.heard(d.guild_id, d.author.id)
  })
  client.on(Events.InteractionCreate, (interaction) => {
    const guild = guildOf(interaction)
    if (guild !== null) rain.heard(guild, interaction.user.id, 'command')
  })
}
