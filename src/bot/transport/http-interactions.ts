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

/**
 * The time after which Discord ignores an acknowledgement.
 * https://docs.discord.com/developers/interactions/receiving-and-responding
 */
const FIRST_RESPONSE_MS = 3_000
const ASK_AGAIN_MS = 200
/** The types of the responses that move nothing: suggestions and forms, whose results arrive as other interactions. */
const MOVES_NOTHING: readonly InteractionResponseType[] = [
  InteractionResponseType.ApplicationCommandAutocompleteResult,
  InteractionResponseType.Modal,
]
/** The time within which Discord has read an acknowledgement. */
const ON_THE_WAY_MS = 10_000
/** The address for acknowledgements that are not sent as an HTTP answer: `/interactions/ID/TOKEN/callback`. */
const CALLBACK = /\/interactions\/(\d+)\/[^/]+\/callback(?:\?|$)/
const THREADS: readonly number[] = [ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]

/**
 * Receives interactions that Discord sends by HTTP ("Interactions Endpoint URL") instead of over the gateway. They pass
 * through the same router. The router's first response, which it sends to Discord's address, becomes the HTTP request's
 * answer, so it costs no call.
 */
export interface HttpInteractions {
  /**
   * Answers an interaction in Discord's form. Resolves to the first response; undefined if there is none within
   * Discord's three seconds. Does nothing for the person until `delivered` resolves because that response was sent.
   */
  hear(payload: unknown, delivered: Promise<void>): Promise<object | undefined>
  /** Sends requests to Discord, except first responses to interactions that came by HTTP. */
  carry(makeRequest: MakeRequest): MakeRequest
  /** Notes the threads of the gateway's interactions, because nothing else may have reported them. */
  hearThreads(client: Pick<Client, 'on' | 'prependListener'>): void
  /** Returns the parent channel of an interaction's thread; undefined outside threads. */
  threadOf(interaction: object): { readonly parentId: string | null } | undefined
  /** Whether the acknowledgement of the interaction with this token may still be on its way to Discord. */
  isOnItsWay(token: string): boolean
}

interface HttpInteractionsOptions {
  readonly clock: Clock
  /** The client for calls with an interaction's token. */
  readonly webhooks: REST
  readonly client: () => Client
}

interface Expected {
  readonly id: string
  readonly type: InteractionType
  readonly application: string
  readonly token: string
  /** The monotonic time when the interaction arrived. */
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
      // The acknowledging code gets the error. If there is none, nobody needs it.
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
      // In the form of Discord's answer to an acknowledgement at its own address, `with_response`.
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
 * Confirms with Discord that an acknowledgement has arrived, before anything moves. Nothing else reports whether a
 * request's answer came in time, and a proxy in between may have lost it. Rejects if Discord has no acknowledgement.
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

/**
 * Makes discord.js read an interaction and report it, first to `first`, as if it had come through the gateway. Returns
 * false if discord.js does not report it.
 */
function tell(client: Client, payload: APIInteraction, first: (interaction: Interaction) => void): boolean {
  let known = false
  const note = (interaction: Interaction) => {
    known = true
    first(interaction)
  }
  client.prependOnceListener(Events.InteractionCreate, note)
  // discord.js has no public method for an interaction that came by HTTP. It cannot read entitlements without a
  // gateway, and Satchel sells nothing.
  const { InteractionCreate } = (client as unknown as Actions).actions
  try {
    InteractionCreate.handle({ ...payload, entitlements: [] })
  } catch (error) {
    if (known) throw error
    throw new HttpProblem(400, 'incomplete', `This is not a complete interaction: ${String(error)}`)
  } finally {
    client.off(Events.InteractionCreate, note)
  }
  return known
}

interface Actions {
  readonly actions: { readonly InteractionCreate: { handle(payload: object): void } }
}

/**
 * Returns the payload if it is an interaction, not a ping or anything else. Discord's signature vouches for its
 * content.
 */
function readInteraction(said: unknown): APIInteraction | undefined {
  const { id, type } = (said ?? {}) as Partial<APIInteraction>
  if (typeof id !== 'string' || typeof type !== 'number' || type === InteractionType.Ping) return undefined
  return said as APIInteraction
}
