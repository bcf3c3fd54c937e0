import { html, useState, type VNode } from '../html.ts'
import { Copy } from '../sides/copy.ts'
import { Icon } from '../sides/icons.ts'
import type { HistoryLine } from '../state/phone.ts'
import { now } from '../state/session.ts'
import { shortCode } from '../text/codes.ts'
import { fullTime, satsOf, since } from '../text/format.ts'

/** Draws payments and receipts, each with its preimage. */
export function History({ lines }: { lines: readonly HistoryLine[] }): VNode {
  return html`<section class="history" aria-label="History">
    <h3 class="eyebrow">History</h3>
    ${lines.length === 0 && html`<p class="phone-hint">Nothing yet. What you pay or receive shows up here, with its preimage.</p>`}
    <ul>
      ${lines.map((line) => html`<${Line} key=${`${line.paymentHash} ${line.direction}`} line=${line} />`)}
    </ul>
  </section>`
}

function Line({ line }: { line: HistoryLine }): VNode {
  const [open, setOpen] = useState(false)
  const sign = line.direction === 'in' ? '+' : '−'
  return html`<li class=${`history-line ${line.direction}`}>
    <button type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <span class="history-mark"><${Icon} name=${line.direction === 'in' ? 'arrowDown' : 'arrowUp'} size=${16} /></span>
      <span class="history-words">
        <b>${line.description || (line.direction === 'in' ? 'Received' : 'Paid')}</b>
        <small title=${fullTime(line.at)}>${since(line.at, now.value)}</small>
      </span>
      <span class="history-amount">${sign}${satsOf(line.amount)}</span>
    </button>
    ${
      open &&
      html`<dl>
        ${line.description !== '' && html`<div><dt>For</dt><dd>${line.description}</dd></div>`}
        <div><dt>Hash</dt><dd><code>${shortCode(line.paymentHash)}</code><${Copy} text=${line.paymentHash} label="Copy the payment hash" /></dd></div>
        <div><dt>Preimage</dt><dd><code>${shortCode(line.preimage)}</code><${Copy} text=${line.preimage} label="Copy the preimage" /></dd></div>
      </dl>`
    }
  </li>`
}
