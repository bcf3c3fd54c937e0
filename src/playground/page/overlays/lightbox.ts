import { html, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { lightbox } from '../state/frame.ts'
import { Dialog } from './dialog.ts'

/** Draws a picture at a large size. */
export function Lightbox(): VNode | null {
  const shown = lightbox.value
  if (shown === null) return null
  const close = () => {
    lightbox.value = null
  }
  return html`<${Dialog} label=${shown.alt || 'Picture'} class="lightbox" onClose=${close}>
    <img src=${shown.url} alt=${shown.alt} onClick=${close} />
    <p>${shown.alt}</p>
    <button type="button" class="round close" aria-label="Close" onClick=${close}><${Icon} name="close" /></button>
  <//>`
}
