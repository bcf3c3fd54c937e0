import type {
  ChannelView,
  ChoiceView,
  CommandView,
  InteractionView,
  MessageView,
  PersonView,
  ServerView,
} from '../../../discord-emulator/views.ts'

/** A person whom a tab can be. */
export interface Choosable extends PersonView {
  /** The person's rights in the server, beyond a member's. */
  readonly role: 'owner' | 'operator' | 'moderator' | null
  readonly joinedAt: string | null
}

export interface Parts {
  readonly bot: boolean
  readonly service: boolean
}

/** A person's whole view, apart from the conversations themselves. */
export interface View {
  readonly startedAt: number
  readonly me: PersonView
  readonly servers: readonly ServerView[]
  readonly conversations: readonly ChannelView[]
  readonly bot: { readonly id: string; readonly online: boolean }
  /** With `none`, there is neither a payments service nor a phone. */
  readonly custody: 'balances' | 'none'
  readonly parts: Parts
  readonly home: { readonly server: string; readonly channels: Readonly<Record<string, string>> }
}

export type OptionValue = string | number | boolean

/** A refused request. The message is a sentence for people; `field` is the affected option or field. */
export class RequestRefusal extends Error {
  readonly status: number
  readonly field: string | null

  constructor(status: number, message: string, field: string | null) {
    super(message)
    this.status = status
    this.field = field
  }
}

let personId = ''

/** Makes this person the sender of all later requests. */
export function askAs(id: string): void {
  personId = id
}

/** Calls the page server. Throws a RequestRefusal, whose status is 0 if the server is unreachable. */
export async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const headers: Record<string, string> = personId === '' ? {} : { 'x-person': personId }
  if (body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  } catch {
    throw new RequestRefusal(0, 'The playground cannot be reached. If it has stopped, start it again.', null)
  }
  if (response.status === 204) return undefined as Body
  const answer = (await response.json()) as { message?: string; field?: string | null }
  if (response.ok) return answer as Body
  throw new RequestRefusal(
    response.status,
    answer.message ?? `The playground answered with HTTP status ${response.status}. Reload the page.`,
    answer.field ?? null,
  )
}

const at = (channel: string, message: string) => `/api/channels/${channel}/messages/${message}`

export const api = {
  people: () => ask<{ people: Choosable[] }>('GET', '/api/people'),
  walletOf: (person: string) => ask<{ link: string }>('POST', `/api/people/${person}/wallet`),
  view: () => ask<View>('GET', '/api/view'),
  messages: (channel: string, before?: string) =>
    ask<MessageView[]>('GET', `/api/channels/${channel}/messages${before === undefined ? '' : `?before=${before}`}`),
  say: (channel: string, text: string, replyTo?: string) =>
    ask<MessageView>('POST', `/api/channels/${channel}/messages`, { text, replyTo }),
  remove: (channel: string, message: string) => ask<void>('DELETE', at(channel, message)),
  dismiss: (channel: string, message: string) => ask<void>('POST', `${at(channel, message)}/dismiss`, {}),
  react: (channel: string, message: string, emoji: string, on: boolean) =>
    ask<void>('POST', `${at(channel, message)}/reactions`, { emoji, on }),
  commands: (channel: string) => ask<CommandView[]>('GET', `/api/channels/${channel}/commands`),
  run: (channel: string, path: string, values: Record<string, OptionValue>) =>
    ask<InteractionView>('POST', `/api/channels/${channel}/run`, { path, values }),
  suggest: (channel: string, path: string, values: Record<string, OptionValue>, focused: string) =>
    ask<ChoiceView[]>('POST', `/api/channels/${channel}/suggestions`, { path, values, focused }),
  press: (channel: string, message: string, customId: string) =>
    ask<InteractionView>('POST', `${at(channel, message)}/press`, { customId }),
  choose: (channel: string, message: string, customId: string, values: readonly string[]) =>
    ask<InteractionView>('POST', `${at(channel, message)}/choose`, { customId, values }),
  useOnMessage: (channel: string, message: string, name: string) =>
    ask<InteractionView>('POST', `${at(channel, message)}/menu`, { name }),
  useOnPerson: (channel: string, person: string, name: string) =>
    ask<InteractionView>('POST', `/api/channels/${channel}/people/${person}/menu`, { name }),
  submit: (interaction: string, values: Record<string, string | readonly string[]>) =>
    ask<InteractionView>('POST', `/api/interactions/${interaction}/submit`, { values }),
  interaction: (id: string) => ask<{ interaction: InteractionView | null }>('GET', `/api/interactions/${id}`),
  converse: (other: string) => ask<ChannelView>('POST', '/api/conversations', { with: other }),
  part: (part: keyof Parts, action: 'kill' | 'start') => ask<void>('POST', `/api/parts/${part}/${action}`, {}),
}
