import type { PersonView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'

/** Draws a person's picture. It is beside their name, so it needs no alternative text. */
export function Avatar({ person, size = 40 }: { person: PersonView; size?: number }): VNode {
  return html`<img class="avatar" src=${person.avatarUrl} alt="" width=${size} height=${size} draggable=${false} />`
}

/** Draws the mark that distinguishes programs from people. */
export function BotTag(): VNode {
  return html`<span class="bot-tag">App</span>`
}
