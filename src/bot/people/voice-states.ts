import { type APIVoiceState, type Client, Events, GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord.js'

/** Voice channels and their members, as the gateway reports them. Stored only in memory. */
export interface VoiceStates {
  /**
   * Returns the ids of the people in a member's voice channel who can hear the others, possibly including bots.
   * `unknown`: Discord has not sent this server. `nowhere`: the member is in no voice channel, or in the one for
   * inactive people.
   */
  listenersWith(guild: string, member: string): readonly string[] | 'unknown' | 'nowhere'
}

/** The voice channel of each person, by the person's id, and whether the person hears it. */
type People = Map<string, { readonly channel: string; readonly hears: boolean }>

type State = Pick<APIVoiceState, 'channel_id' | 'user_id' | 'deaf' | 'self_deaf'>

/** Tracks the people in a server's voice channels from the moment when Discord has sent the server. */
export function hearVoiceStates(client: Pick<Client, 'on' | 'guilds'>): VoiceStates {
  const servers = new Map<string, People>()
  client.on(Events.Raw, ({ t, d, s }: GatewayDispatchPayload) => {
    // Discord numbers its events. After a resumed session the bot reads servers itself, without people and without a
    // number.
    if (t === GatewayDispatchEvents.GuildCreate && s > 0) {
      const people: People = new Map()
      for (const state of d.voice_states ?? []) note(people, state)
      servers.set(d.id, people)
    }
    if (t === GatewayDispatchEvents.GuildDelete) servers.delete(d.id)
    if (t === GatewayDispatchEvents.VoiceStateUpdate) {
      const people = servers.get(d.guild_id ?? '')
      if (people !== undefined) note(people, d)
    }
  })
  return {
    listenersWith(guild, member) {
      const people = servers.get(guild)
      if (people === undefined) return 'unknown'
      const channel = people.get(member)?.channel
      if (channel === undefined || channel === client.guilds.cache.get(guild)?.afkChannelId) return 'nowhere'
      const others = [...people].filter(([id, at]) => id !== member && at.channel === channel && at.hears)
      return others.map(([id]) => id)
    },
  }
}

function note(people: People, { channel_id: channel, user_id: id, deaf, self_deaf: deafened }: State): void {
  if (channel === null) people.delete(id)
  else people.set(id, { channel, hears: !deaf && !deafened })
}
