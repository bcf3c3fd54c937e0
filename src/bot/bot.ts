import type { REST } from '@discordjs/rest'
import {
  ActivityType,
  type APIApplication,
  ApplicationIntegrationType,
  type Client,
  Events,
  type GatewayPresenceUpdateData,
  type Interaction,
  PresenceUpdateStatus,
} from 'discord.js'
import { type Clock, pause } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { LinkedRolesPages } from '../lib/web/linked-roles-pages.ts'
import type { Tipping } from '../tipping/tipping.ts'
import { createAlertSender, tryAlertChannel } from './alerts/alert-sender.ts'
import { drawForeseen } from './announcements/foreseen.ts'
import { hearWakingThreads } from './cards/asleep.ts'
import { type CardBoard, createCardBoard } from './cards/card-board.ts'
import { createOwnEmoji, type OwnEmoji, withOwnEmoji } from './emoji/own-emoji.ts'
import { createTranslators, type Translator, type Translators } from './i18n/translator.ts'
import { configure, subscribe } from './installation/application.ts'
import { hearInstallation } from './installation/hear-installation.ts'
import { guildOf } from './interactions/guest.ts'
import {
  type CommandDescription,
  describeCommands,
  menuName,
  type RegistrationScope,
  registerCommands,
  removeLeftCommands,
} from './interactions/registration.ts'
import { createRouter } from './interactions/router.ts'
import { LinkedRolesFront, type LinkedRolesSetting } from './linked-roles/linked-roles.ts'
import { hearReactions } from './message-tips/reactions.ts'
import { type Links, NO_LINKS } from './pay-pages/links.ts'
import { createGuildMembers } from './people/guild-members.ts'
import { type KnownServers, knownServers } from './people/known-servers.ts'
import { createPeople } from './people/people.ts'
import { createServerLocales } from './people/server-locale.ts'
import { hearVoiceStates, type VoiceStates } from './people/voice-states.ts'
import { hearActivity } from './rain/hear-activity.ts'
import { buttons, choices } from './registry/buttons.ts'
import { cardRenderers } from './registry/card-renderers.ts'
import { commands, menuCommands, offeredBy } from './registry/commands.ts'
import { formReplies } from './registry/form-replies.ts'
import { hearRuleEvents } from './rules/hear-events.ts'
import { type PeopleOfServers, peopleOfServers } from './rules/people-of-servers.ts'
import { runSchedules } from './schedules/run-schedules.ts'
import {
  type Connection,
  createClient,
  type DiscordAddress,
  introduce,
  logFaults,
  openRest,
} from './transport/connection.ts'
import { Gateway } from './transport/gateway.ts'
import { createHttpInteractions, type HttpInteractions } from './transport/http-interactions.ts'
import { createMessenger } from './transport/messenger.ts'
import { type CallFigures, type Calls, callsAt } from './transport/permits.ts'

export { createOverlayTexts } from './api-keys/overlay-texts.ts'
export { createConnectPages } from './connect-pages/connect-pages.ts'
export { CONNECT_PAGE_POLICY } from './connect-pages/draw-connect-page.ts'
export { changesOf } from './installation/application.ts'
export { inviteLink } from './installation/invitation.ts'
export type { CommandDescription } from './interactions/registration.ts'
export { LINKED_ROLES_POLICY } from './linked-roles/pages.ts'
export { PAY_PAGE_POLICY } from './pay-pages/draw-pay-page.ts'
export type { Links } from './pay-pages/links.ts'
export { createPayPages } from './pay-pages/pay-pages.ts'
export { refusalInWords } from './refusals/refusal-text.ts'
export { createStatusPage } from './status/status-page.ts'

export interface BotOptions {
  readonly token: string
  readonly api: DiscordAddress
  readonly tipping: Tipping
  readonly clock: Clock
  readonly logger: Logger
  /** Whether people may install the bot for themselves. Default: the developer portal's setting. */
  readonly userInstall?: boolean | undefined
  /** The address to which Discord reports who installs the bot. Default: none. */
  readonly eventsUrl?: string | undefined
  /** The settings of linked roles. Default: no linked roles. */
  readonly linkedRoles?: LinkedRolesSetting | undefined
  /** Whether the application uses its own emoji in texts and buttons. Default: no. */
  readonly ownEmoji?: boolean
  /** The only server in which the commands are registered, so that private conversations have none. Used for tests. */
  readonly guildId?: string
  /**
   * How events reach the bot. Default: only through the gateway. Without the gateway, the bot receives only what is
   * passed to `hear`.
   */
  readonly connection?: Connection
  /** The operators' own server, whose administrators may use `/admin`. */
  readonly homeGuildId?: string
  /** The channel in which operators receive alerts. */
  readonly operatorsChannelId?: string
  /** The servers whose channels must be known before anything happens in those servers. */
  readonly publicServers?: readonly string[]
  /** The number of calls per second that Discord permits the bot. */
  readonly callsPerSecond?: number | undefined
  /** The addresses of our pages, to which messages link. Default: none. */
  readonly links?: Links
}

export interface Bot extends KnownServers {
  /**
   * Resolves when the bot is connected, its commands are registered and pending cards are being shown. Rejects if
   * Discord does not accept the token or cannot be reached.
   */
  readonly ready: Promise<void>
  /**
   * Answers an interaction that arrived by HTTP. Resolves to the first response; undefined if there is none within
   * Discord's three seconds. `delivered` reports whether that response was delivered.
   */
  hear(interaction: unknown, delivered: Promise<void>): Promise<object | undefined>
  /** Handles Discord's report that somebody has installed or removed the bot. */
  told(event: unknown): void
  /** The pages on which people permit Discord to show what they have given; undefined if there are no linked roles. */
  readonly linkedRoles: LinkedRolesPages | undefined
  /** Whether Discord sends this process events now. */
  isConnected(): boolean
  /** Facts about people that are available only from Discord. */
  readonly people: PeopleOfServers
  /** Returns figures on the calls to Discord. */
  calls(): CallFigures
  /**
   * Resolves when every command has been answered and every card that can be shown is shown. Used by tests and tours.
   */
  settled(): Promise<void>
  /** Stops listening, finishes running work, and disconnects. */
  close(): Promise<void>
}

const GATEWAY_ALONE: Connection = { gateway: true, publicKey: undefined }
/** The time that running commands, and then pending cards, are given to finish when the bot is closed. */
const MAX_WAIT_MS = 5_000

/**
 * Creates the bot, which receives commands and button presses from Discord, calls tipping, and shows the results. The
 * bot stores no state: everything that it needs after a restart is in tipping or in the messages themselves.
 */
export function createBot(options: BotOptions): Bot {
  const { token, api, tipping, clock, logger, guildId: guild, homeGuildId: home, links = NO_LINKS } = options
  const { connection = GATEWAY_ALONE } = options
  const { permits, rest, cardCalls, webhooks } = openRest(api, token, { budget: tipping.callBudget, ...options })
  const http = createHttpInteractions({ clock, webhooks, client: () => client })
  const client = createClient(api, permits, http, connection)
  const { people, emoji, roles, ...shown } = createVoice(options, { client, rest, cardCalls, webhooks, http })
  const { messenger, translatorFor } = shown
  const board = createCardBoard(shown)
  const router = createRouter({
    ...{ commands: offeredBy(tipping).commands, buttons, choices, menuCommands, formReplies },
    ...{ board, messenger, people, tipping, translatorFor, links, serverLocale: shown.serverLocale },
    ...{ members: createGuildMembers(rest, clock, voiceOf(client, connection)), threadOf: http.threadOf },
    ...{ homeGuildId: home, clock, log: logger },
  })
  const alerts = createAlertSender({ tipping, messenger, clock, log: logger, channel: options.operatorsChannelId })
  let [isReady, closed] = [false, false]
  client.on(Events.InteractionCreate, (interaction: Interaction) => void router.handle(interaction))
  listen(client, { tipping, board, log: logger })
  removeLeftCommands(client, rest, { guild, home, application: () => client.application?.id ?? '' }, logger)
  const gateway = createGateway(options, { client, rest, http })
  const members = createGuildMembers(cardCalls, clock)
  const hearing = { ...shown, people, rest: cardCalls, members, servers: gateway.servers }
  const [reactions, events] = [hearReactions(client, hearing), hearRuleEvents(client, hearing)]
  const schedules = runSchedules(client, { ...hearing, clock, mayRun: () => isReady && connection.gateway })

  async function start(): Promise<void> {
    await permits.start()
    const introduced = await introduce(client, { rest, token, address: api.rest }, connection, logger)
    const application = await configure(rest, introduced, { userInstall: options.userInstall }, logger)
    if (connection.gateway) await gateway.start(application, presenceOf(translatorFor('en'), tipping))
    translatorFor.linkCommands(await registerCommands(rest, offeredBy(tipping), scopeOf(application, options)))
    await furnish(application, { rest, emoji, roles }, options)
    if (closed) return
    isReady = true
    board.start()
    alerts.start()
    logger.info({ user: client.user?.tag, servers: client.guilds.cache.size }, 'connected to Discord')
  }

  const ready = start()
  // A caller that awaits it gets the failure, which must not stop anybody else.
  ready.catch(() => undefined)
  return {
    ready,
    hear: async (interaction, delivered) => (isReady && !closed ? await http.hear(interaction, delivered) : undefined),
    told: (event) => void (closed || hearInstallation(event, { ...shown, log: logger })),
    ...{ linkedRoles: roles, isConnected: () => isReady && gateway.isConnected },
    ...knownServers(client, gateway.servers, { guild, home }),
    people: peopleOfServers(client, hearing),
    calls: () => permits.figures(),
    async settled() {
      await Promise.all([router.settled(), reactions.settled(), events.settled()])
      await board.settled()
      await alerts.settled()
    },
    async close() {
      closed = true
      // Later messages from Discord are for the next process.
      const gone = gateway.close()
      // If work is unfinished by then (Discord may delay us for minutes), the next start finishes it.
      const within = (task: Promise<unknown>) => Promise.race([task, pause(clock, MAX_WAIT_MS)])
      await within(Promise.all([gone, schedules.close(), router.settled(), reactions.settled(), events.settled()]))
      await within(board.close())
      await within(Promise.all([alerts.close(), roles?.close()]))
      permits.close()
      await client.destroy()
    },
  }
}

/** Returns the tracker of the people in voice channels; undefined if the bot does not subscribe to voice states. */
function voiceOf(client: Client, { gateway, voice }: Connection): VoiceStates | undefined {
  return gateway && voice ? hearVoiceStates(client) : undefined
}

/** Creates the parts through which the bot sends every message. */
function createVoice(
  options: BotOptions,
  {
    client,
    rest,
    cardCalls,
    webhooks,
    http,
  }: { client: Client; rest: REST; cardCalls: Calls; webhooks: REST; http: HttpInteractions },
) {
  const { tipping, clock, logger: log, links = NO_LINKS } = options
  const ownEmoji = createOwnEmoji(callsAt(rest, 'background'), log)
  const people = withOwnEmoji(createPeople(client, cardCalls, { clock, cdn: options.api.cdn }), ownEmoji)
  const messenger = createMessenger(cardCalls, webhooks, people, { clock, ...http })
  const translatorFor = createTranslators(() => tipping.testMoney)
  const serverLocale = createServerLocales(client, (guild) => tipping.preferences.ofServer(guild).language)
  const drawn = { cardRenderers, drawForeseen }
  const roles = linkedRolesOf(options, { translatorFor, rest, webhooks })
  return { ...options, ...drawn, people, messenger, log, translatorFor, serverLocale, links, emoji: ownEmoji, roles }
}

function linkedRolesOf(
  { linkedRoles: setting, tipping, api, clock, logger: log }: BotOptions,
  parts: { readonly translatorFor: Translators; readonly rest: REST; readonly webhooks: REST },
): LinkedRolesFront | undefined {
  return setting && new LinkedRolesFront({ ...parts, setting, tipping, api: api.rest, clock, log })
}

/** Creates the gateway, which learns of a server whenever an interaction happens there. */
function createGateway(
  { token, api, tipping, guildId, homeGuildId, publicServers = [], clock, logger: log }: BotOptions,
  { client, rest, http }: { readonly client: Client; readonly rest: REST; readonly http: HttpInteractions },
): Gateway {
  const first = [guildId, homeGuildId, ...publicServers].filter((id) => id !== undefined)
  const { shards } = tipping
  const gateway = new Gateway({ client, rest, token, address: api.rest, shards, first, clock, log })
  http.hearThreads(client)
  client.on(Events.InteractionCreate, (interaction) => void gateway.servers.learn(guildOf(interaction)))
  return gateway
}

function scopeOf(
  { id: application, integration_types_config: config }: APIApplication,
  { guildId: guild, homeGuildId: home }: BotOptions,
): RegistrationScope {
  return { application, guild, home, installable: config?.[ApplicationIntegrationType.UserInstall] !== undefined }
}

/** Returns the bot's presence, with the text in its profile. */
function presenceOf(t: Translator, { testMoney }: Tipping): GatewayPresenceUpdateData {
  const state = t(testMoney ? 'presence.test' : 'presence.live')
  const activity = { name: 'Satchel', state, type: ActivityType.Custom }
  return { activities: [activity], since: null, status: PresenceUpdateStatus.Online, afk: false }
}

/**
 * Tests the alert channel, and sets up what the options request at Discord: reports of installations, the application's
 * own emoji, and linked roles.
 */
async function furnish(
  application: APIApplication,
  {
    rest,
    emoji,
    roles,
  }: { readonly rest: REST; readonly emoji: OwnEmoji; readonly roles: LinkedRolesFront | undefined },
  { operatorsChannelId, eventsUrl, ownEmoji, logger }: BotOptions,
): Promise<void> {
  await tryAlertChannel(rest, operatorsChannelId, logger)
  if (eventsUrl !== undefined) await subscribe(rest, application, eventsUrl, logger)
  if (ownEmoji) await prepareEmoji(emoji, application.id, logger)
  await roles?.start(application)
}

/** Uploads the application's own emoji. If that fails, texts use standard emoji. */
async function prepareEmoji(emoji: OwnEmoji, application: string, log: Logger): Promise<void> {
  await emoji.prepare(application).catch((err: unknown) => {
    log.warn({ err }, "the application's own emoji could not be uploaded; the next start tries again")
  })
}

/** Returns the commands in the menus of messages and people, with their English names at Discord. */
export function menuList(): readonly { readonly name: string; readonly on: 'message' | 'member' }[] {
  return menuCommands.map((menu) => ({ name: menuName(menu), on: menu.on }))
}

/** Returns every command as data, for the documentation. */
export function commandList(): CommandDescription[] {
  return describeCommands(commands)
}

function listen(client: Client, { tipping, board, log }: { tipping: Tipping; board: CardBoard; log: Logger }): void {
  hearActivity(client, tipping)
  hearWakingThreads(client, board)
  logFaults(client, log)
}
