import type { InteractionView } from '../../emulator/views.ts'
import { computed, signal } from '../html.ts'
import { Refusal } from './api.ts'
import { place } from './session.ts'

/** Something the person did that the bot has not dealt with, or never will. */
export interface Deed {
  readonly view: InteractionView
  /** The message whose button or menu was used. */
  readonly messageId: string | null
  /** `/tip`, for what has no message yet. */
  readonly label: string
}

const order = { waiting: 0, deferred: 1, answered: 2, failed: 2 } as const

export const deeds = signal<ReadonlyMap<string, Deed>>(new Map())
/** The form that is open. */
export const openForm = signal<InteractionView | null>(null)
/** Short words that go away by themselves. */
export const toast = signal<{ readonly text: string; readonly kind: 'said' | 'failed' } | null>(null)

/** Commands of this channel that wait for their first answer, or that never got one. */
export const looseDeeds = computed(() =>
  [...deeds.value.values()].filter(
    ({ view, messageId }) =>
      view.channelId === place.value.channel &&
      messageId === null &&
      view.kind !== 'autocomplete' &&
      (view.state === 'waiting' || view.state === 'failed'),
  ),
)

/** What a message's components are up to. */
export function deedOn(messageId: string): Deed | undefined {
  return [...deeds.value.values()].findLast((deed) => deed.messageId === messageId)
}

/** Follows what was just sent; a refusal becomes a toast, unless `onRefusal` takes it. */
export async function follow(
  sending: Promise<InteractionView>,
  label: string,
  messageId: string | null = null,
  onRefusal?: (refusal: Refusal) => boolean,
): Promise<InteractionView | undefined> {
  try {
    const sent = await sending
    noteDeed(sent, { label, messageId })
    return sent
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (onRefusal?.(error) !== true) say(error.message, 'failed')
    return undefined
  }
}

/** How an interaction stands now; events and answers may come in any order. */
export function noteDeed(fresh: InteractionView, about?: Pick<Deed, 'label' | 'messageId'>): void {
  if (fresh.kind === 'autocomplete') return
  const known = deeds.value.get(fresh.id)
  const later = known !== undefined && order[known.view.state] > order[fresh.state] ? known.view : fresh
  const all = new Map(deeds.value)
  const label = about?.label ?? known?.label ?? (fresh.kind === 'command' ? `/${fresh.name}` : '')
  all.set(fresh.id, { view: later, label, messageId: about?.messageId ?? known?.messageId ?? null })
  for (const oldest of all.keys()) if (all.size > 50) all.delete(oldest)
  deeds.value = all
  const formIsNew = later.modal !== null && known?.view.modal == null
  if (formIsNew) openForm.value = later
}

export function forgetDeed(id: string): void {
  const all = new Map(deeds.value)
  all.delete(id)
  deeds.value = all
}

export function forgetDeeds(): void {
  deeds.value = new Map()
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

/** Does something whose refusal is told in a toast. */
export async function tell<Result>(deed: Promise<Result>): Promise<Result | undefined> {
  try {
    return await deed
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'failed')
    return undefined
  }
}
