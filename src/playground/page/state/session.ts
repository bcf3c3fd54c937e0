import type { ChannelView, MemberView, PersonView, RoleView, ServerView } from '../../../discord-emulator/views.ts'
import { computed, signal } from '../html.ts'
import { api, askAs, type Choosable, type Parts, type View } from './api.ts'

/** The people whom a tab can be. */
export const people = signal<readonly Choosable[]>([])
export const view = signal<View | null>(null)
/** Counts how often the page has loaded the whole view. */
export const looks = signal(0)
export const parts = signal<Parts & { botOnline: boolean }>({ bot: true, service: true, botOnline: true })
/**
 * The language of times in messages: the person's choice in the bot's settings, or else the language of their Discord.
 */
export const language = signal('en')
/** The state of the connection. `lost` means that the playground does not answer. */
export const connection = signal<'starting' | 'live' | 'lost'>('starting')
/** The present time, updated every ten seconds, for texts such as "2 minutes ago". */
export const now = signal(Date.now())
setInterval(look, 10_000)

/** Updates the present time, so that recent events do not seem to lie in the future. */
export function look(): void {
  now.value = Date.now()
}

/** The open server, or null for the direct conversations, and the open channel. */
export const place = signal<{ readonly server: string | null; readonly channel: string }>({ server: null, channel: '' })

/** Whether the bot holds balances. If not, there is neither a payments service nor a phone. */
export const holdsSats = computed(() => view.value?.custody !== 'none')
export const me = computed<PersonView | null>(() => view.value?.me ?? null)
export const server = computed<ServerView | null>(
  () => view.value?.servers.find(({ id }) => id === place.value.server) ?? null,
)
export const channel = computed<ChannelView | null>(() => channelById(place.value.channel) ?? null)

export function channelById(id: string): ChannelView | undefined {
  const all = view.value
  if (all === null) return undefined
  return [...all.servers.flatMap(({ channels }) => channels), ...all.conversations].find((each) => each.id === id)
}

export function memberById(id: string): MemberView | undefined {
  return server.value?.members.find((member) => member.id === id)
}

/** Finds a person whom the page knows: a member of a server, or a person whom a tab can be. */
export function personById(id: string): PersonView | undefined {
  const all = view.value
  if (all === null) return undefined
  const members = all.servers.flatMap(({ members }) => members)
  return members.find((each) => each.id === id) ?? people.value.find((each) => each.id === id)
}

export function roleById(id: string): RoleView | undefined {
  return view.value?.servers.flatMap(({ roles }) => roles).find((role) => role.id === id)
}

/**
 * Returns the colour of a member's name, which is that of their highest role with a colour; null if they have no such
 * role.
 */
export function colorOf(id: string): string | null {
  const member = memberById(id)
  const roles = server.value?.roles.filter((role) => role.color !== null && member?.roleIds.includes(role.id)) ?? []
  return roles.sort((one, other) => other.position - one.position)[0]?.color ?? null
}

/** Loads the view of this tab's person again. If the open channel is gone, opens the stored or first channel. */
export async function refreshView(): Promise<void> {
  const fresh = await api.view()
  view.value = fresh
  looks.value += 1
  parts.value = { ...fresh.parts, botOnline: fresh.bot.online }
  if (channelById(place.value.channel) === undefined) goHome(fresh)
}

/**
 * Loads the people, and makes the tab the person whom its address names, or else its earlier person, or else the first
 * person. Resolves to the name in the address if nobody has it.
 */
export async function enter(): Promise<string | undefined> {
  people.value = (await api.people()).people
  const asked = new URLSearchParams(location.search).get('as')
  const requested = asked ?? sessionStorage.getItem('person')
  const found = people.value.find(({ id, username }) => id === requested || username === requested) ?? people.value[0]
  if (found === undefined)
    throw new Error(
      'There are no people in this playground. Start it again from scratch: npm run playground -- --fresh',
    )
  takeOn(found.id)
  await refreshView()
  // The tab has stored its person now, and a reload must not undo a later choice.
  history.replaceState(null, '', location.pathname)
  return asked === null || asked === found.id || asked === found.username ? undefined : asked
}

/** Makes this tab another person. If that fails, it stays the former person. */
export async function become(id: string): Promise<void> {
  const before = me.value?.id
  takeOn(id)
  try {
    await refreshView()
  } catch (error) {
    if (before !== undefined) takeOn(before)
    throw error
  }
}

function takeOn(id: string): void {
  askAs(id)
  // Stored by name, because a restarted playground has the same people under other ids.
  sessionStorage.setItem('person', people.value.find((each) => each.id === id)?.username ?? id)
}

function goHome(fresh: View): void {
  const stored = sessionStorage.getItem('channel')
  const home = fresh.servers.find(({ id }) => id === fresh.home.server) ?? fresh.servers[0]
  const known = stored === null ? undefined : channelById(stored)
  const first = known ?? home?.channels.find(({ id }) => id === fresh.home.channels.general) ?? home?.channels[0]
  const [conversation] = fresh.conversations
  if (first !== undefined) place.value = { server: first.serverId, channel: first.id }
  else place.value = { server: null, channel: conversation?.id ?? '' }
}

/** Opens a channel. */
export function visit(id: string): void {
  const target = channelById(id)
  if (target === undefined) return
  sessionStorage.setItem('channel', id)
  place.value = { server: target.serverId, channel: id }
}
