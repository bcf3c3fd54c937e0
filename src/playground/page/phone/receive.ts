import { html, useEffect, useState, type VNode } from '../html.ts'
import { Copy } from '../sides/copy.ts'
import { ask } from '../state/api.ts'
import { tell } from '../state/interactions.ts'
import { shortCode } from '../text/codes.ts'

/** Draws the form that makes an invoice of the outside wallet, for example for `/withdraw`. */
export function Receive(): VNode {
  const [amount, setAmount] = useState('')
  const [invoice, setInvoice] = useState<string | null>(null)
  useEffect(() => document.getElementById('phone-amount')?.focus(), [])
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const sats = amount.replaceAll(/[\s,]/g, '')
    const body = sats === '' ? {} : { amount: `${sats}000` }
    const made = await tell(ask<{ invoice: string }>('POST', '/api/phone/invoice', body))
    if (made !== undefined) setInvoice(made.invoice)
  }
  return html`<form class="phone-form" onSubmit=${submit}>
    <label for="phone-amount">Amount in sats (optional)</label>
    <input
      id="phone-amount"
      inputmode="numeric"
      autocomplete="off"
      placeholder="the payer decides"
      value=${amount}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setAmount(currentTarget.value)}
    />
    <button type="submit" class="button primary">Make an invoice</button>
    ${
      invoice !== null &&
      html`<p class="made-invoice" role="status"><code>${shortCode(invoice)}</code><${Copy} text=${invoice} label="Copy the invoice" /></p>`
    }
  </form>`
}
