import { html, useEffect, useState, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { loadPhone, newestCode, phone, scan, sheet } from '../state/phone.ts'
import { now } from '../state/session.ts'
import { clockTime, satsOf } from '../text/format.ts'
import { History } from './history.ts'
import { Misbehave } from './misbehave.ts'
import { Receive } from './receive.ts'
import { PaymentSheet } from './sheet.ts'

/**
 * Draws the phone, which stands for any Lightning wallet outside Discord and the bot. It pays scanned codes, and shows
 * what it has paid and received.
 */
export function Phone(): VNode {
  const [pasting, setPasting] = useState(false)
  const [receiving, setReceiving] = useState(false)
  useEffect(() => void loadPhone(), [])
  const wallet = phone.value
  const code = newestCode.value
  const balance = wallet === null ? '·····' : satsOf(wallet.balance)
  return html`<aside class="phone-side" aria-label="The phone: an outside Lightning wallet" data-tour="phone">
    <div class="phone">
      <div class="phone-status" aria-hidden="true">
        <span>${clockTime(new Date(now.value).toISOString())}</span><i></i><span><${Icon} name="bolt" size=${12} /> 5G</span>
      </div>
      <div class="phone-screen">
        <div class="phone-roll">
          <header class="phone-head">
            <span class="eyebrow">Pocket wallet</span>
            <h2 class="balance" style=${{ '--digits': balance.length }}>
              <b>${balance}</b><span>sats</span>
            </h2>
            <p>Outside of Discord. Play money, on a sandbox Lightning network.</p>
          </header>
          <div class="phone-keys">
            <button type="button" class="key main" disabled=${code === null} onClick=${() => code !== null && scan(code)}>
              <${Icon} name="scan" /><span>Scan</span>
            </button>
            <button type="button" class="key" aria-expanded=${pasting} onClick=${() => toggle(setPasting, setReceiving)}>
              <${Icon} name="copy" /><span>Paste</span>
            </button>
            <button type="button" class="key" aria-expanded=${receiving} onClick=${() => toggle(setReceiving, setPasting)}>
              <${Icon} name="arrowDown" /><span>Receive</span>
            </button>
          </div>
          ${code === null && !pasting && !receiving && html`<p class="phone-hint">No code in sight. Ask the bot for one: <kbd>/deposit</kbd> or <kbd>/invoice</kbd>.</p>`}
          ${pasting && html`<${Paste} onDone=${() => setPasting(false)} />`} ${receiving && html`<${Receive} />`}
          <${History} lines=${wallet?.history ?? []} />
        </div>
        <${Misbehave} />
      </div>
      ${sheet.value !== null && html`<${PaymentSheet} sheet=${sheet.value} />`}
      <div class="phone-bar" aria-hidden="true"></div>
    </div>
  </aside>`
}

type Setter = (next: boolean | ((before: boolean) => boolean)) => void

function toggle(one: Setter, other: Setter): void {
  one((before) => !before)
  other(false)
}

function Paste({ onDone }: { onDone: () => void }): VNode {
  const [text, setText] = useState('')
  useEffect(() => document.getElementById('phone-paste')?.focus(), [])
  function submit(event: Event): void {
    event.preventDefault()
    if (text.trim() === '') return
    onDone()
    void scan(text.trim())
  }
  return html`<form class="phone-form" onSubmit=${submit}>
    <label for="phone-paste">Invoice, LNURL or Lightning Address</label>
    <textarea
      id="phone-paste"
      rows="3"
      spellcheck=${false}
      autocomplete="off"
      value=${text}
      onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}
    ></textarea>
    <button type="submit" class="button primary" disabled=${text.trim() === ''}>Read it</button>
  </form>`
}
