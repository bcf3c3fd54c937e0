import { html, useEffect, useRef, useState, type VNode } from '../html.ts'
import { Copy } from '../sides/copy.ts'
import { Icon } from '../sides/icons.ts'
import { isNarrow, narrowScreen } from '../state/frame.ts'
import { confirm, sheet as open, type PaymentCode, type Sheet } from '../state/phone.ts'
import { now } from '../state/session.ts'
import { shortCode } from '../text/codes.ts'
import { ago, satsOf } from '../text/format.ts'

const kinds: Readonly<Record<PaymentCode['kind'], string>> = {
  invoice: 'Lightning invoice',
  'pay-code': 'LNURL payment',
  address: 'Lightning Address',
  'withdraw-code': 'LNURL withdrawal',
}

/** Draws the scanned payment for confirmation, and then its outcome. */
export function PaymentSheet({ sheet }: { sheet: Sheet }): VNode {
  const close = () => {
    open.value = null
    if (isNarrow.value && sheet.step === 'done') narrowScreen.value = 'chat'
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  return html`<div class="sheet" role="dialog" aria-label="Payment" onKeyDown=${onKeyDown}>
    <button type="button" class="round small close" aria-label="Close" onClick=${close}>
      <${Icon} name="close" size=${16} />
    </button>
    ${sheet.step === 'reading' && html`<p class="sheet-wait" role="status"><span class="spinner"></span>Reading the code…</p>`}
    ${sheet.step === 'problem' && html`<${Problem} text=${sheet.text} onClose=${close} />`}
    ${sheet.step === 'confirm' && html`<${Confirm} key=${sheet.code.text} code=${sheet.code} problem=${sheet.problem} />`}
    ${
      sheet.step === 'paying' &&
      html`<p class="sheet-wait" role="status">
        <span class="spinner"></span>${sheet.code.does === 'pay' ? 'Paying' : 'Claiming'} ${satsOf(sheet.code.max)} sats…
      </p>`
    }
    ${sheet.step === 'done' && html`<${Done} sheet=${sheet} onClose=${close} />`}
  </div>`
}

function Confirm({ code, problem }: { code: PaymentCode; problem: string | null }): VNode {
  const fixed = code.min === code.max || code.does === 'claim'
  const [amount, setAmount] = useState(fixed ? '' : String(BigInt(code.min) / 1_000n))
  const [comment, setComment] = useState('')
  const action = useRef<HTMLButtonElement>(null)
  useEffect(() => action.current?.focus(), [problem])
  const chosen = fixed ? code.max : amountInMsats(amount)
  function submit(event: Event): void {
    event.preventDefault()
    if (chosen !== null) void confirm(code, chosen, comment)
  }
  const limits = `${satsOf(code.min)} to ${satsOf(code.max)} sats`
  return html`<form class="confirm" onSubmit=${submit}>
    <span class="eyebrow">${kinds[code.kind]}</span>
    ${
      fixed
        ? html`<p class="sheet-amount"><b>${satsOf(code.max)}</b> sats</p>`
        : html`<label class="sheet-field">Amount in sats
            <input
              inputmode="numeric"
              autocomplete="off"
              value=${amount}
              onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setAmount(currentTarget.value)}
            /><small>${limits}</small>
          </label>`
    }
    <p class="sheet-about">${code.description || 'No description'}</p>
    ${code.expiresAt !== null && html`<p class="sheet-small">Expires ${ago(Date.parse(code.expiresAt), now.value)}</p>`}
    ${
      code.commentAllowed > 0 &&
      html`<label class="sheet-field">A comment, if you like
        <input
          maxlength=${code.commentAllowed}
          autocomplete="off"
          value=${comment}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setComment(currentTarget.value)}
        />
      </label>`
    }
    <code class="sheet-code">${shortCode(code.text)}</code>
    ${problem !== null && html`<p class="failure" role="alert"><${Icon} name="warning" size=${16} />${problem}</p>`}
    <button type="submit" class="button primary wide" ref=${action} disabled=${chosen === null} data-tour="pay">
      ${code.does === 'pay' ? `Pay ${chosen === null ? '' : satsOf(chosen)} sats` : `Claim ${satsOf(code.max)} sats`}
    </button>
  </form>`
}

function Done({ sheet, onClose }: { sheet: Extract<Sheet, { step: 'done' }>; onClose: () => void }): VNode {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return html`<div class="sheet-done" role="status">
    <span class="tick"><${Icon} name="check" size=${30} /></span>
    <h3>${sheet.code.does === 'pay' ? 'Paid' : 'Claimed'}</h3>
    ${sheet.message !== '' && html`<p>${sheet.message}</p>`}
    ${
      sheet.preimage !== null &&
      html`<p class="sheet-proof"><span class="eyebrow">Preimage, the proof of payment</span>
        <code>${shortCode(sheet.preimage)}</code><${Copy} text=${sheet.preimage} label="Copy the preimage" /></p>`
    }
    <button type="button" class="button secondary wide" ref=${button} onClick=${onClose}>Done</button>
  </div>`
}

function Problem({ text, onClose }: { text: string; onClose: () => void }): VNode {
  return html`<div class="sheet-done" role="alert">
    <span class="tick bad"><${Icon} name="warning" size=${26} /></span>
    <p>${text}</p>
    <button type="button" class="button secondary wide" onClick=${onClose}>Close</button>
  </div>`
}

/** Converts whole sats as people type them, such as `1,000`, to msats; null for any other text. */
function amountInMsats(text: string): string | null {
  const digits = text.replaceAll(/[\s,]/g, '')
  return /^[1-9]\d{0,14}$/.test(digits) ? `${digits}000` : null
}
