import { DiscordAPIError, type REST, type RESTOptions } from '@discordjs/rest'
import {
  type APIInteraction,
  type APIInteractionResponse,
  type APIMessage,
  ChannelType,
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type Interaction,
  InteractionResponseType,
  InteractionType,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { type Clock, pause } from '../../lib/clock.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'

type MakeRequest = RESTOptions['makeRequest']

/** Discord hears nothing of what is acknowledged later. https://docs.discord.com/developers/interactions/receiving-and-responding */
const FIRST_RESPONSE_MS = 3_000
const ASK_AGAIN_MS = 200
/** Suggestions and forms: what they lead to comes as another interaction. */
const MOVES_NOTHING: readonly InteractionResponseType[] = [
  InteractionResponseType.ApplicationCommandAutocompleteResult,
  InteractionResponseType.Modal,
]
/** Within this time Discord has read an acknowledgement that it was sent. */
const ON_THE_WAY_MS = 10_000
/** `/interactions/ID/TOKEN/callback`, where an acknowledgement goes that does not go this way. */
const CALLBACK = /\/interactions\/(\d+)\/[^/]+\/callback(?:\?|$)/
const THREADS: readonly number[] = [ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]

/**
 * The way in for interactions that Discord sends by HTTP ("Interactions Endpoint URL") instead of over the gateway. They take
 * the same way through the router. The first response, which the router sends to Discord's address for it, becomes the answer
 * of the HTTP request: it costs no call.
 */
export interface HttpInteractions {
  /**
   * Answers an interaction, as Discord wrote it. Resolves to the first response; undefined when there is none within
   * Discord's three seconds. `delivered` says what became of that answer: nothing is done for a person until it was
   * sent.
   */
  hear(payload: unknown, delivered: Promise<void>): Promise<object | undefined>
  /** Carries requests to Discord, except first responses to interactions that came by HTTP. */
  carry(makeRequest: MakeRequest): MakeRequest
  /** Notes what the gateway says of the threads of interactions, since nothing else may have told of them. */
  hearThreads(client: Pick<Client, 'on' | 'prependListener'>): void
  /** The thread that an interaction took place in, with the channel that it belongs to; undefined: it took place in none. */
  threadOf(interaction: object): { readonly parentId: string | null } | undefined
  /** Whether Discord may not have read yet how the interaction with this token was acknowledged. */
  isOnItsWay(token: string): boolean
}

interface HttpInteractionsOptions {
  readonly clock: Clock
  /** For calls with an interaction's token. */
  readonly webhooks: REST
  readonly client: () => Client
}

interface Expected {
  readonly id: string
  readonly type: InteractionType
  readonly application: string
  readonly token: string
  /** By our monotonic clock. */
  readonly heardAt: number
  readonly respond: (body: object) => void
  readonly delivered: Promise<void>
}

export function createHttpInteractions({ clock, webhooks, client }: HttpInteractionsOptions): HttpInteractions {
  const expected = new Map<string, Expected>()
  const payloads = new WeakMap<object, APIInteraction>()
  const onTheirWay = new Set<string>()

  return {
    async hear(said, delivered) {
      const payload = readInteraction(said)
      if (payload === undefined || expected.has(payload.id)) return undefined
      const answer = Promise.withResolvers<object>()
      // The one who acknowledges hears of it; where nobody has, nobody does.
      delivered.catch(() => undefined)
      const { id, type, application_id: application, token } = payload
      const heardAt = clock.monotonic()
      expected.set(payload.id, { id, type, application, token, heardAt, respond: answer.resolve, delivered })
      try {
        if (!tell(client(), payload, (interaction) => payloads.set(interaction, payload))) return undefined
        return await Promise.race([answer.promise, pause(clock, FIRST_RESPONSE_MS).then(() => undefined)])
      } finally {
        expected.delete(payload.id)
      }
    },
    carry: (makeRequest) => async (url, init) => {
      const waiting = expected.get(CALLBACK.exec(url)?.[1] ?? '')
      if (waiting === undefined || typeof init.body !== 'string') return await makeRequest(url, init)
      const response = JSON.parse(init.body) as APIInteractionResponse
      waiting.respond(response)
      onTheirWay.add(waiting.token)
      clock.after(ON_THE_WAY_MS, () => onTheirWay.delete(waiting.token))
      await waiting.delivered
      if (MOVES_NOTHING.includes(response.type)) return new Response(null, { status: 204 })
      const message = await confirm(waiting, { clock, webhooks })
      // As Discord tells of an acknowledgement that it was sent at its own address, `with_response`.
      const interaction = { id: waiting.id, type: waiting.type }
      return Response.json({ interaction, resource: { type: response.type, message } })
    },
    hearThreads(client) {
      let last: APIInteraction | undefined
      client.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
        if (t === GatewayDispatchEvents.InteractionCreate) last = d
      })
      client.prependListener(Events.InteractionCreate, (interaction: Interaction) => {
        if (last?.id === interaction.id) payloads.set(interaction, last)
      })
    },
    threadOf(interaction) {
      const said = payloads.get(interaction)?.channel
      if (said === undefined || !THREADS.includes(said.type)) return undefined
      return { parentId: 'parent_id' in said ? (said.parent_id ?? null) : null }
    },
    isOnItsWay: (token) => onTheirWay.has(token),
  }
}

/**
 * Nobody says of the answer to a request whether it came in time, and a proxy in between may have taken it and lost it. So
 * Discord is asked before anything moves. Rejects where it knows of no acknowledgement.
 */
async function confirm(
  { application, token, heardAt }: Expected,
  { clock, webhooks }: Pick<HttpInteractionsOptions, 'clock' | 'webhooks'>,
): Promise<APIMessage> {
  for (;;) {
    try {
      return (await webhooks.get(Routes.webhookMessage(application, token), { auth: false })) as APIMessage
    } catch (error) {
      const unknown = error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownWebhook
      if (!unknown || clock.monotonic() - heardAt > 2 * FIRST_RESPONSE_MS) throw error
      await pause(clock, ASK_AGAIN_MS)
    }
  }
}

/** Has discord.js read it and tell of it, as if the gateway had brought it, `first` before all others. False: it cannot. */
function tell(client: Client, payload: APIInteraction, first: (interaction: Interaction) => void): boolean {
  let known = false
  const note = (interaction: Interaction) => {
    known = true
    first(interaction)
  }
  client.prependOnceListener(Events.InteractionCreate, note)
  // discord.js has no public way to read an interaction that came by HTTP. It cannot read entitlements without a gateway, and Satchel sells nothing.
  const { InteractionCreate } = (client as unknown as Actions).actions
  try {
    InteractionCreate.handle({ ...payload, entitlements: [] })
  } catch (error) {
    if (known) throw error
    throw new HttpProblem(400, 'incomplete', `This is not a whole interaction: ${String(error)}`)
  } finally {
    client.off(Events.InteractionCreate, note)
  }
  return known
}

interface Actions {
  readonly actions: { readonly InteractionCreate: { handle(payload: object): void } }
}

/** Tells interactions from everything else. Discord's signature vouches for their contents. */
function readInteraction(said: unknown): APIInteraction | undefined {
  const { id, type } = (said ?? {}) as Partial<APIInteraction>
  if (typeof id !== 'string' || typeof type !== 'number' || type === InteractionType.Ping) return undefined
  return said as APIInteraction
}
