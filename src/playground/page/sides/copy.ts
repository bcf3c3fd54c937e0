import { html, useState, type VNode } from '../html.ts'
import { Icon } from './icons.ts'

/** Draws a small button that copies a text to the clipboard. */
export function Copy({ text, label }: { text: string; label: string }): VNode {
  const [copied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_600)
  }
  return html`<button type="button" class="copy" aria-label=${copied ? 'Copied' : label} title=${label} onClick=${copy}>
    <${Icon} name=${copied ? 'check' : 'copy'} size=${16} />
  </button>`
}
