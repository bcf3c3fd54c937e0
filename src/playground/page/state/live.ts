import type { EmulatorEvent } from '../../../discord-emulator/views.ts'
import type { WireLine } from '../../world.ts'
import { batch, effect } from '../html.ts'
import { type Parts, RequestRefusal } from './api.ts'
import { keepWireLine, loadWire, stirBooks } from './books.ts'
import { dropMessage, forgetConversations, keepMessage, loadConversation, noteTyping } from './conversations.ts'
import { forgetInteractions, noteInteraction } from './interactions.ts'
import { refreshPhone } from './phone.ts'
import { become, connection, language, look, me, parts, place, refreshView, view } from './session.ts'

let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined

/**
 * Connects this tab to its person's events, and loads what it has missed. Resolves when the connection is open or has
 * failed. Only what is loaded after that is kept up to date by the events.
 */
export function connect(): Promise<void> {
  source?.close()
  clearTimeout(retry)
  const person = me.value?.id
  if (person === undefined) return Promise.resolve()
  const events = new EventSource(`/api/events?person=${person}`)
  source = events
  listen(events)
  return new Promise((resolve) => {
    events.onopen = () => {
      if (connection.value === 'lost') void catchUp()
      if (connection.value === 'starting') refreshSoon()
      connection.value = 'live'
      resolve()
    }
    events.onerror = () => {
      resolve()
      if (source !== events) return
      events.close()
      waitForPlayground()
    }
  })
}

function listen(events: EventSource): void {
  for (const type of [
    'message-created',
    'message-updated',
    'message-deleted',
    'interaction',
    'typing',
    'world',
    'bot',
  ]) {
    events.addEventListener(type, ({ data }) => batch(() => hear(JSON.parse(data))))
  }
  events.addEventListener('parts', ({ data }) => {
    parts.value = JSON.parse(data) as Parts & { botOnline: boolean }
  })
  events.addEventListener('language', ({ data }) => {
    language.value = JSON.parse(data) as string
  })
  events.addEventListener('wire', ({ data }) => {
    keepWireLine(JSON.parse(data) as WireLine)
    stirBooks()
    refreshPhone()
  })
}

/** Switches this tab to another person, and forgets what the former person saw. */
export async function switchTo(personId: string): Promise<void> {
  await become(personId)
  batch(() => {
    forgetConversations()
    forgetInteractions()
  })
  await connect()
  await loadConversation(place.value.channel)
}

/** Loads each channel that the person opens, as soon as the tab receives its events. */
export function loadVisited(): void {
  effect(() => {
    const { channel } = place.value
    if (channel !== '' && connection.value === 'live') void loadConversation(channel).catch(() => {})
  })
}

/** Retries until the playground answers. If a restarted playground does not know the person, reloads the page. */
function waitForPlayground(): void {
  connection.value = 'lost'
  clearTimeout(retry)
  retry = setTimeout(async () => {
    try {
      await refreshView()
      void connect()
    } catch (error) {
      if (error instanceof RequestRefusal && error.status === 404) location.reload()
      else waitForPlayground()
    }
  }, 1_000)
}

async function catchUp(): Promise<void> {
  try {
    await refreshView()
    forgetConversations()
    await Promise.all([loadConversation(place.value.channel), loadWire()])
    stirBooks()
    refreshPhone()
  } catch {
    waitForPlayground()
  }
}

/** Ends a hidden tab's connection after a while, because a browser keeps at most six connections to one address. */
export function restWhileHidden(): void {
  let resting: ReturnType<typeof setTimeout> | undefined
  let asleep = false
  document.addEventListener('visibilitychange', () => {
    clearTimeout(resting)
    if (document.visibilityState === 'hidden') {
      resting = setTimeout(() => {
        asleep = true
        source?.close()
      }, 30_000)
    } else if (asleep) {
      asleep = false
      void connect().then(catchUp)
    }
  })
}

function hear(event: EmulatorEvent): void {
  look()
  stirBooks()
  switch (event.type) {
    case 'message-created':
    case 'message-updated':
      keepMessage(event.message)
      break
    case 'message-deleted':
      dropMessage(event.channelId, event.messageId)
      break
    case 'interaction':
      noteInteraction(event.interaction)
      break
    case 'typing':
      noteTyping(event.channelId, event.personId)
      break
    case 'world':
      refreshSoon()
      break
    case 'bot': {
      const all = view.value
      if (all !== null) view.value = { ...all, bot: { ...all.bot, online: event.online } }
      parts.value = { ...parts.value, botOnline: event.online }
      break
    }
  }
}

let refreshing: ReturnType<typeof setTimeout> | undefined

function refreshSoon(): void {
  clearTimeout(refreshing)
  refreshing = setTimeout(() => void refreshView().catch(() => {}), 150)
}
