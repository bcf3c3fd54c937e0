import { createOverlayTexts } from '../../src/bot/bot.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import type { PeopleOfServer } from '../../src/tipping/tipping.ts'
import { createWebServer, type WebServer } from '../../src/web/web-server.ts'
import type { TippingWorld } from '../tipping/world.ts'

export const guild = '100000000000000001'
export const [DORA, ROBOT, GONE, MOD] = [
  '200000000000000001',
  '200000000000000002',
  '200000000000000003',
  '200000000000000004',
]

/** The people of a server with another bot, somebody who has left, and moderators with a budget of their own. */
export const everybody: PeopleOfServer = {
  localeOf: () => 'en',
  moderator: async () => ['mods'],
  person: async (_, member) => (member === GONE ? undefined : { bot: member === ROBOT, roles: [] }),
}

export interface DiscordNow {
  /** The people as Discord reports them, or undefined while Discord is not connected. */
  people: PeopleOfServer | undefined
  isConnected: boolean
  /** Whether Discord has reported the server. */
  knows: boolean
}

/** Starts a web server that accepts keys of a Discord server whose pool has 1,000 sats, 900 of them for moderators. */
export async function openKeyedServer(
  world: TippingWorld,
  discord: DiscordNow = { people: everybody, isConnected: true, knows: true },
  requestsPerSecond = 0,
): Promise<WebServer> {
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '900', period: 'month' })
  await world.fund(DORA, 1)
  return await createWebServer({
    ...{ tipping: { hint: async () => 'unknown' }, port: 0, clock: world.clock, logger: silentLogger },
    publicApi: {
      insights: world.tipping.insights,
      ...{ testMoney: () => true, everybodySees: () => true, servers: [guild], requestsPerSecond },
    },
    keyedApi: {
      ...{ keys: world.tipping.apiKeys, events: world.tipping.serverEvents },
      everybodySees: (channel) => channel !== 'staff',
      people: () => discord.people,
      isConnected: () => discord.isConnected,
      overlayTexts: createOverlayTexts(() => true),
      ...{ knows: () => discord.knows, testMoney: () => true, requestsPerSecond },
    },
  })
}

/** Creates a key, and returns its secret. */
export async function makeKey(
  world: TippingWorld,
  scopes: readonly ('rewards' | 'members' | 'events')[] = ['rewards', 'members'],
  budget = '500',
): Promise<string> {
  const { interaction } = world.origin()
  const { length } = await world.tipping.apiKeys.list(guild)
  const name = length === 0 ? 'game' : `game ${length + 1}`
  const terms = { name, channel: 'arena', budget, days: 30, interaction }
  return (await world.tipping.apiKeys.create({ guild, member: MOD, scopes, ...terms })).secret ?? ''
}
