import type { InteractionView } from '../../../discord-emulator/views.ts'
import { computed, signal } from '../html.ts'
import { RequestRefusal } from './api.ts'
import { place } from './session.ts'

/** An action that this tab's person has sent to the bot. */
export interface SentInteraction {
  readonly view: InteractionView
  /** The message whose button or menu was used; null for a command. */
  readonly messageId: string | null
  /** The action's label, such as `/tip`, which the page shows as long as there is no message. */
  readonly label: string
}

const order = { waiting: 0, deferred: 1, answered: 2, failed: 2 } as const

export const sentInteractions = signal<ReadonlyMap<string, SentInteraction>>(new Map())
/** The interaction whose form is open. */
export const openForm = signal<InteractionView | null>(null)
/** A short message that disappears on its own. */
export const toast = signal<{ readonly text: string; readonly kind: 'said' | 'failed' } | null>(null)

/** The commands in this channel that wait for their first answer, or have failed. */
export const looseInteractions = computed(() =>
  [...sentInteractions.value.values()].filter(
    ({ view, messageId }) =>
      view.channelId === place.value.channel &&
      messageId === null &&
      view.kind !== 'autocomplete' &&
      (view.state === 'waiting' || view.state === 'failed'),
  ),
)

/** Returns the newest interaction with a message's components. */
export function interactionOn(messageId: string): SentInteraction | undefined {
  return [...sentInteractions.value.values()].findLast((sent) => sent.messageId === messageId)
}

/** Waits until an interaction is sent, and stores it. Shows a refusal in a toast, unless `onRefusal` returns true. */
export async function follow(
  sending: Promise<InteractionView>,
  label: string,
  messageId: string | null = null,
  onRefusal?: (refusal: RequestRefusal) => boolean,
): Promise<InteractionView | undefined> {
  try {
    const sent = await sending
    noteInteraction(sent, { label, messageId })
    return sent
  } catch (error) {
    if (!(error instanceof RequestRefusal)) throw error
    if (onRefusal?.(error) !== true) say(error.message, 'failed')
    return undefined
  }
}

/** Updates an interaction's state. Events and answers may arrive in any order. */
export function noteInteraction(fresh: InteractionView, about?: Pick<SentInteraction, 'label' | 'messageId'>): void {
  if (fresh.kind === 'autocomplete') return
  const known = sentInteractions.value.get(fresh.id)
  const later = known !== undefined && order[known.view.state] > order[fresh.state] ? known.view : fresh
  const all = new Map(sentInteractions.value)
  const label = about?.label ?? known?.label ?? (fresh.kind === 'command' ? `/${fresh.name}` : '')
  all.set(fresh.id, { view: later, label, messageId: about?.messageId ?? known?.messageId ?? null })
  for (const oldest of all.keys()) if (all.size > 50) all.delete(oldest)
  sentInteractions.value = all
  const formIsNew = later.modal !== null && known?.view.modal == null
  if (formIsNew) openForm.value = later
}

export function forgetInteraction(id: string): void {
  const all = new Map(sentInteractions.value)
  all.delete(id)
  sentInteractions.value = all
}

export function forgetInteractions(): void {
  sentInteractions.value = new Map()
  openForm.value = null
}

let clearing: ReturnType<typeof setTimeout> | undefined

export function say(text: string, kind: 'said' | 'failed' = 'said'): void {
  toast.value = { text, kind }
  clearTimeout(clearing)
  clearing = setTimeout(() => {
    toast.value = null
  }, 5_000)
}

/** Waits for an action. If it fails, shows the error in a toast, and resolves to undefined. */
export async function tell<Result>(sent: Promise<Result>): Promise<Result | undefined> {
  try {
    return await sent
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'failed')
    return undefined
  }
}
