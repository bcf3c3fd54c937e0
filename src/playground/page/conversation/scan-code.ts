import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, useEffect, type VNode } from '../html.ts'
import { Copy } from '../sides/copy.ts'
import { Icon } from '../sides/icons.ts'
import { showPhone } from '../state/frame.ts'
import { noteCode, paidCodes, payFromElsewhere, scan } from '../state/phone.ts'
import { holdsSats } from '../state/session.ts'
import { bareCode, shortCode } from '../text/codes.ts'

/**
 * Draws a button that scans a code with the phone. Without custody there is no phone, so a wallet that nobody has
 * connected pays the code.
 */
export function ScanButton({ code }: { code: string }): VNode {
  function hold(): void {
    if (!holdsSats.value) return void payFromElsewhere(code)
    showPhone()
    void scan(code)
  }
  return html`<button type="button" class="scan-button" data-tour="scan" onClick=${hold}>
    <${Icon} name="scan" size=${18} />${holdsSats.value ? 'Scan with the phone' : 'Pay from another wallet'}
  </button>`
}

/**
 * The state of a code in a text. In a bot's reply to its own card, the text repeats the card's QR code for copying, and
 * the person scans the card instead. A card without its QR code shows whether the code was paid.
 */
export type CodeStatus = 'alone' | 'repeats' | 'paid' | 'over'

export function codeStatusOf(message: MessageView, answered: MessageView | undefined): CodeStatus {
  if (!message.author.bot || answered?.author.id !== message.author.id) return 'alone'
  if (hasPicture(answered)) return 'repeats'
  return answered.embeds.some(({ description }) => String(description).startsWith('✅')) ? 'paid' : 'over'
}

function hasPicture({ attachments }: MessageView): boolean {
  return attachments.some(({ contentType }) => contentType.startsWith('image/'))
}

interface CodeProps {
  code: string
  placeId: string
  status: CodeStatus
}

/** Draws the button under a text with an invoice or an LNURL. */
export function TextCode({ code, placeId, status }: CodeProps): VNode {
  const paid = status === 'paid' || paidCodes.value.has(bareCode(code))
  // Other codes may take more than one payment.
  const isInvoice = /^ln(bc|tb|sb)/.test(bareCode(code))
  const open = status === 'alone' && !(paid && isInvoice)
  useEffect(() => {
    noteCode(placeId, open ? code : null)
    return () => noteCode(placeId, null)
  }, [code, open])
  if (open) return html`<div class="scan-line"><${ScanButton} code=${code} /><code>${shortCode(code)}</code></div>`
  if (status === 'repeats') {
    return html`<div class="scan-line"><code>${shortCode(code)}</code><${Copy} text=${code} label="Copy the code" /></div>`
  }
  return html`<p class="scan-line over"><${Icon} name="check" size=${16} />${paid ? 'Paid' : 'No longer open'}</p>`
}
