import { html, type VNode } from '../html.ts'

/** Draws a sign that somebody is at work. */
export function Dots(): VNode {
  return html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`
}
