import { html, useEffect, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { showPhone } from '../state/frame.ts'
import { noteCode, scan } from '../state/phone.ts'
import { shortCode } from '../text/codes.ts'

/** Holds the phone over a code. */
export function ScanButton({ code }: { code: string }): VNode {
  function hold(): void {
    showPhone()
    void scan(code)
  }
  return html`<button type="button" class="scan-button" data-tour="scan" onClick=${hold}>
    <${Icon} name="scan" size=${18} />Scan with the phone
  </button>`
}

/** Under a text with an invoice or an LNURL in it. */
export function ScanCode({ code, placeId }: { code: string; placeId: string }): VNode {
  useEffect(() => {
    noteCode(placeId, code)
    return () => noteCode(placeId, null)
  }, [code])
  return html`<div class="scan-line"><${ScanButton} code=${code} /><code>${shortCode(code)}</code></div>`
}
