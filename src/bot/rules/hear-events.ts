import {
  type APIChannel,
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  Routes,
} from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import type { RuleEvent, Tipping } from '../../tipping/tipping.ts'
import type { GuildMembers } from '../people/guild-members.ts'
import { moderatesIn } from '../people/moderators.ts'
import type { LearnServers } from '../transport/learn-servers.ts'
import type { Calls } from '../transport/permits.ts'

export interface RuleEventOptions {
  readonly rest: Calls
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly servers: Pick<LearnServers, 'learn'>
  readonly serverLocale: (guild: string | null) => string | undefined
  readonly log: Logger
}

export interface RuleEvents {
  /** Resolves when every event received so far has been handled. */
  settled(): Promise<void>
}

const SOLVED = '✅'

/**
 * Reports events to rules: a member wrote, a moderator reacted to a message, or a thread's creator or a moderator
 * marked an answer as the solution. Needs no further gateway intents. Discord may report the same event again, but the
 * rules pay for it only once.
 */
export function hearRuleEvents(client: Client, options: RuleEventOptions): RuleEvents {
  const running = new Set<Promise<void>>()
  const follow = (task: Promise<void>, about: string) => {
    const following = task
      .catch((err: unknown) => options.log.warn({ err, about }, 'a rule could not handle an event'))
      .finally(() => running.delete(following))
    running.add(following)
  }
  client.on(Events.Raw, (packet: GatewayDispatchPayload) => {
    if (packet.t === GatewayDispatchEvents.MessageCreate) {
      const { id, guild_id, webhook_id, author } = packet.d
      const { rules } = options.tipping
      if (guild_id === undefined || webhook_id !== undefined || author.bot) return
      if (rules.watches(guild_id, 'role') || rules.watches(guild_id, 'days'))
        follow(seen(packet.d, client, options), id)
    }
    if (packet.t === GatewayDispatchEvents.MessageReactionAdd) {
      const { guild_id, message_author_id, member } = packet.d
      if (guild_id === undefined || message_author_id === undefined || member?.user.bot) return
      follow(reacted(packet.d, client, options), packet.d.message_id)
    }
  })
  return {
    async settled() {
      await Promise.all(running)
    },
  }
}

type Written = Extract<GatewayDispatchPayload, { t: GatewayDispatchEvents.MessageCreate }>['d']
type Reacted = Extract<GatewayDispatchPayload, { t: GatewayDispatchEvents.MessageReactionAdd }>['d']

async function seen(
  { guild_id: guild, channel_id: channel, author, member }: Written,
  client: Client,
  options: RuleEventOptions,
) {
  if (guild === undefined || !member?.joined_at) return
  const memberSince = new Date(member.joined_at)
  const facts = { accountSince: accountSince(author.id), memberSince, roles: member.roles }
  const event = { guild, channel, recipient: { id: author.id, bot: false }, what: { kind: 'seen' } as const }
  await tell({ ...event, facts: async () => facts }, client, options)
}

async function reacted(reaction: Reacted, client: Client, options: RuleEventOptions): Promise<void> {
  const { guild_id: guild = '', channel_id: channel, message_id: message, message_author_id: author = '' } = reaction
  const { user_id: by, member, emoji } = reaction
  const { tipping, members } = options
  const written = emoji.id === null ? (emoji.name ?? '') : `<:${emoji.name ?? '_'}:${emoji.id}>`
  const isSolved = emoji.id === null && emoji.name === SOLVED && tipping.rules.watches(guild, 'solved')
  if (!isSolved && !tipping.rules.watches(guild, 'reaction')) return
  await options.servers.learn(guild)
  const mayReward = await moderatesIn(guild, by, member?.roles ?? [], client, tipping)
  const about = {
    ...{ guild, channel, recipient: { id: author, bot: false } },
    facts: () => members.known(guild, author),
  }
  if (isSolved) {
    const thread = await threadAt(channel, client, options.rest)
    const isStarters = thread !== undefined && thread.owner === by
    if (thread !== undefined && (isStarters || mayReward) && thread.owner !== author) {
      await tell({ ...about, what: { kind: 'solved', thread: channel, by } }, client, options)
    }
  }
  if (mayReward) await tell({ ...about, what: { kind: 'reaction', emoji: written, message, by } }, client, options)
}

async function tell(event: Omit<RuleEvent, 'moderator' | 'locale'>, client: Client, options: RuleEventOptions) {
  const { tipping, members, serverLocale, servers } = options
  const { guild } = event
  await tipping.rules.heard({
    ...event,
    locale: serverLocale(guild) ?? 'en',
    async moderator(member) {
      await servers.learn(guild)
      const roles = (await members.known(guild, member))?.roles
      if (roles === undefined) return undefined
      return (await moderatesIn(guild, member, roles, client, tipping)) ? roles : undefined
    },
  })
}

/** Returns a thread's creator; undefined if the channel is not a thread. */
async function threadAt(id: string, client: Client, rest: Calls): Promise<{ readonly owner: string } | undefined> {
  const known = client.channels.cache.get(id)
  if (known !== undefined) return known.isThread() && known.ownerId !== null ? { owner: known.ownerId } : undefined
  const asked = (await rest.get(Routes.channel(id))) as APIChannel
  return 'thread_metadata' in asked && asked.owner_id !== undefined ? { owner: asked.owner_id } : undefined
}

const DISCORD_EPOCH_MS = 1_420_070_400_000n

/** Returns when an account was created, which its id shows. https://docs.discord.com/developers/reference#snowflakes */
function accountSince(id: string): Date {
  return new Date(Number((BigInt(id) >> 22n) + DISCORD_EPOCH_MS))
}
