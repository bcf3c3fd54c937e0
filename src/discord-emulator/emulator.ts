import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import { Address } from './address.ts'
import type { Core } from './core/core.ts'
import { InteractionsEndpoint, type SignedRequest } from './core/interactions-endpoint.ts'
import { OAuth } from './core/oauth.ts'
import { PendingInteractions } from './core/pending-interactions.ts'
import { Seen } from './core/seen.ts'
import { type GatewayEvent, intent } from './gateway/events.ts'
import { Gateway, type GatewaySession } from './gateway/gateway.ts'
import { deliver } from './interactions/deliver.ts'
import { Observers } from './observers.ts'
import { Person } from './people/person.ts'
import { FaultPlan, type RequestMatch } from './rest/fault-plan.ts'
import { RateLimits } from './rest/rate-limits.ts'
import { RequestLog } from './rest/request-log.ts'
import { createRestServer } from './rest/server.ts'
import type { EmulatorEvent, InteractionView, RecordedRequest } from './views.ts'
import { may, permission } from './world/permissions.ts'
import { Store } from './world/store.ts'
import { DiscordWorld } from './world/world.ts'
import { WorldBuilder } from './world-builder.ts'

export interface EmulatorOptions {
  /** An SQLite file that stores the world. By default, the world exists only in memory. */
  readonly dataFile?: string | undefined
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger?: Logger | undefined
  /**
   * A port on loopback. By default, any free port. Use the same port after a restart, because the addresses of
   * attachments contain the port.
   */
  readonly port?: number | undefined
  /** The bot's token. By default, a random token, which the world stores. */
  readonly token?: string | undefined
  /** The bot's name in a new world. */
  readonly botName?: string
  /**
   * How many requests a second the bot may make on all routes together. By default 50, as on Discord. With a clock that
   * stands still, a higher limit is needed, because its second never ends.
   */
  readonly requestsPerSecond?: number
  /**
   * Whether single routes and invalid requests have limits. By default, they do unless `requestsPerSecond` is higher
   * than Discord's limit. With a clock that stands still, these limits must be off.
   */
  readonly routeLimits?: boolean
  /** How many shards may begin a session within five seconds (`max_concurrency`). By default, there is no limit. */
  readonly maxConcurrency?: number
  /** Privileged intents that are switched off in the application's settings, as a bit field. */
  readonly disallowedIntents?: number
  /** How many shards Discord recommends to the bot. By default, 1. */
  readonly shards?: number
  /** How many of the bot's latest requests are remembered. */
  readonly retainedRequests?: number
}

/** The faults that tests can cause. */
export interface Faults {
  /** Delivers each of the next `times` interactions twice. */
  duplicateNextInteraction(times?: number): void
  /** Delivers an earlier interaction again, unchanged. */
  redeliver(interactionId: string): void
  /** Sends the bot an event through the gateway, unchanged, even if Discord would never send such an event. */
  tell(name: string, data: Record<string, unknown>): void
  /**
   * Cuts the gateway's connections. The bot can then resume its sessions, unless `forgetSessions` is set: then it must
   * identify again.
   */
  dropGateway(options?: { readonly forgetSessions?: boolean }): void
  /**
   * Answers the next matching requests with 429. This includes requests on interaction routes, which Discord exempts.
   */
  rateLimitNext(options?: RequestMatch & { readonly retryAfterSeconds?: number }): void
  /** Answers the next matching requests with this status instead of carrying them out. */
  failNext(status: number, match?: RequestMatch): void
  /** Refuses the next matching requests with one of Discord's error codes, such as 40003, 20028 or 200000. */
  refuseNext(
    refusal: { readonly status: number; readonly code: number; readonly message?: string },
    match?: RequestMatch,
  ): void
  /** Carries out the next matching requests, and breaks the connection instead of answering. */
  loseNextAnswer(match?: RequestMatch): void
}

/**
 * An emulated Discord on loopback: REST, gateway and CDN for one application, and everything that people can see and
 * do.
 */
export interface Emulator {
  /** The API's address, without the version, for the client's option `rest.api`. */
  readonly restUrl: string
  /** The CDN's address, for the client's option `rest.cdn`. */
  readonly cdnUrl: string
  readonly token: string
  /** The application's id, which is also the bot's. */
  readonly applicationId: string
  /** The application's public key, in hexadecimal digits. */
  readonly publicKey: string
  /**
   * Sets the application's Interactions Endpoint URL. The server there must answer a PING and refuse a wrong signature;
   * otherwise this throws. Null means that interactions go through the gateway.
   */
  setInteractionsEndpoint(url: string | null): Promise<void>
  /** The Interactions Endpoint URL; null if interactions go through the gateway. */
  readonly interactionsEndpoint: string | null
  /**
   * Signs an interaction as Discord would send it to the Interactions Endpoint URL. `at` is the time of the signature,
   * by default the present.
   */
  signInteraction(payload: Record<string, unknown>, at?: number): SignedRequest
  /**
   * The application's client secret, the redirect addresses in its portal, and what it has reported about people for
   * linked roles.
   */
  readonly oauth: Pick<OAuth, 'clientSecret' | 'redirectUris' | 'records' | 'told' | 'withdraw'>
  /**
   * Lets a person agree on Discord's consent page at this address. Returns the address to which their browser is then
   * sent. Throws if Discord would show an error instead.
   */
  agree(personId: string, address: string): string
  /** Creates and changes servers, people, channels and roles. */
  readonly world: WorldBuilder
  readonly faults: Faults
  /** Whether a bot is connected to the gateway. */
  readonly botOnline: boolean
  /** The gateway's sessions that are connected or may be resumed, oldest first. */
  readonly gatewaySessions: readonly GatewaySession[]
  /** Returns a person, as whom a test can see and act. Throws if nobody has this id. */
  as(personId: string): Person
  /** Returns an interaction of the last few minutes; undefined if it is unknown. */
  interaction(id: string): InteractionView | undefined
  /** Subscribes to every event. Returns a function that ends the subscription. */
  subscribe(listener: (event: EmulatorEvent) => void): () => void
  /** The bot's latest requests, oldest first. */
  requests(): RecordedRequest[]
  clearRequests(): void
  /** Ends all connections and writes unwritten changes. A second call has no effect. */
  close(): Promise<void>
}

/** Starts the emulator. It is listening on loopback when the promise resolves. */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { clock, entropy, logger } = options
  const store = new Store(options.dataFile, clock)
  const world = new DiscordWorld(store, clock, entropy, options.token)
  keepBotUser(world, options.botName ?? 'Satchel')
  const address = new Address()
  const observers = new Observers()
  const gateway = new Gateway({
    world,
    clock,
    entropy,
    address,
    disallowedIntents: options.disallowedIntents ?? 0,
    maxConcurrency: options.maxConcurrency,
    onPresence: (online) => observers.tell(() => ({ type: 'bot', visibleTo: null, online })),
  })
  const core: Core = {
    world,
    clock,
    entropy,
    address,
    seen: new Seen(world, address),
    pending: new PendingInteractions(clock),
    endpoint: new InteractionsEndpoint({ clock, entropy }),
    oauth: new OAuth({ clock, entropy }),
    tellBot: (event) => {
      if (hears(world, event)) gateway.tell(event)
    },
    tellObservers: (make) => observers.tell(make),
  }
  const faults = new FaultPlan()
  const log = new RequestLog(options.retainedRequests ?? 10_000)
  const {
    requestsPerSecond = 50,
    routeLimits = requestsPerSecond <= 50,
    maxConcurrency,
    disallowedIntents = 0,
  } = options
  const app = createRestServer({
    ...{ core, faults, log, logger, shards: options.shards ?? 1, maxConcurrency: maxConcurrency ?? 16 },
    limits: new RateLimits(clock, { requestsPerSecond, routeLimits }),
    mayListMembers: (disallowedIntents & intent.guildMembers) === 0,
  })
  gateway.attach(app.server)
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  address.port = (app.server.address() as AddressInfo).port
  return emulatorOf(core, { gateway, faults, observers, log, close: () => app.close() })
}

interface Parts {
  readonly gateway: Gateway
  readonly faults: FaultPlan
  readonly observers: Observers
  readonly log: RequestLog
  /** Closes the REST server. */
  close(): Promise<void>
}

function emulatorOf(core: Core, { gateway, faults, observers, log, close }: Parts): Emulator {
  const { world, address } = core
  return {
    restUrl: address.restUrl,
    cdnUrl: address.cdnUrl,
    token: world.token,
    applicationId: world.applicationId,
    publicKey: core.endpoint.publicKey,
    setInteractionsEndpoint: (url) => core.endpoint.set(url),
    get interactionsEndpoint() {
      return core.endpoint.url
    },
    signInteraction: (payload, at) => core.endpoint.sign(payload, at),
    oauth: core.oauth,
    agree: (personId, consent) => core.oauth.agree(personId, world.applicationId, consent),
    world: new WorldBuilder(core),
    faults: createFaults(core, gateway, faults),
    get botOnline() {
      return gateway.online
    },
    get gatewaySessions() {
      return gateway.sessions
    },
    as: (personId) => personOf(core, personId),
    interaction(id) {
      const interaction = world.interaction(id)
      return interaction && core.seen.interaction(interaction)
    },
    subscribe: (listener) => observers.add(listener),
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    async close() {
      observers.clear()
      core.pending.close()
      gateway.close()
      await close()
      world.store.close()
    },
  }
}

/**
 * Whether the bot gets an event. If the bot is not in a server or cannot see a channel, the application gets only
 * interactions from there.
 */
function hears(world: DiscordWorld, { name, guildId, channelId }: GatewayEvent): boolean {
  if (name === 'INTERACTION_CREATE') return true
  if (guildId !== null && world.member(guildId, world.applicationId) === undefined) return false
  const channel = world.channels.get(channelId ?? '')
  return channel === undefined || may(world, channel, world.applicationId, permission.viewChannel)
}

function personOf(core: Core, personId: string): Person {
  const user = core.world.users.get(personId)
  if (user === undefined) throw new Error(`there is no person ${personId}`)
  return new Person(core, user)
}

function keepBotUser(world: DiscordWorld, name: string): void {
  if (world.users.has(world.applicationId)) return
  world.saveUser({
    id: world.applicationId,
    username: name,
    displayName: name,
    bot: true,
    avatarColor: '#f7931a',
    locale: 'en-US',
    dmsOpen: true,
  })
}

function createFaults(core: Core, gateway: Gateway, plan: FaultPlan): Faults {
  return {
    duplicateNextInteraction(times = 1) {
      core.pending.duplicates += times
    },
    redeliver(interactionId) {
      const event = core.pending.delivery(interactionId)
      if (event === undefined)
        throw new Error(`interaction ${interactionId} is unknown, so it cannot be delivered again`)
      deliver(core, interactionId, event, true)
    },
    tell(name, data) {
      gateway.tell({ name, guildId: null, intent: 0, data: () => data })
    },
    dropGateway({ forgetSessions = false } = {}) {
      gateway.drop(forgetSessions)
    },
    rateLimitNext({ retryAfterSeconds = 0.2, ...match } = {}) {
      plan.add({ kind: 'rate-limit', retryAfterSeconds }, match)
    },
    failNext(status, match) {
      plan.add({ kind: 'fail', status }, match)
    },
    refuseNext({ status, code, message = 'planned refusal' }, match) {
      plan.add({ kind: 'refuse', status, code, message }, match)
    },
    loseNextAnswer(match) {
      plan.add({ kind: 'lose-answer' }, match)
    },
  }
}
