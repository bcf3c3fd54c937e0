import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/http/html.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { readSuccessAction } from '../../lib/lightning/lnurl-messages.ts'
import { formatSats, type Msats, msats, parseWireMsats } from '../../lib/money/amount.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { refuseAboveMaximum } from '../machines/node/amount-limits.ts'
import { logGamertagPayment } from '../machines/sending/log-outcome.ts'
import { payInvoice } from '../payments/pay-invoice.ts'
import { payUser } from '../users/gamertag-payment.ts'
import { alert, facts, inWords, moment } from './frame.ts'
import { noteField, readNote } from './note.ts'
import { paymentPath } from './once.ts'
import { addForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { readDestination, readUser, type SendProposal, type ToInvoice, type ToUser } from './read-destination.ts'

/** What a person types on the first page. */
/** A note of emoji, and the longest address. */
const MAX_HIDDEN_NOTE = 1_000
const TYPED = ['to', 'amount', 'note'] as const
/** How the confirmation calls it: there `amount` and `note` are what the page made of it. */
const TYPED_PREFIX = 'typed-'

/** Sending in two steps: say whom and how much; see what that comes to, and confirm. Only the second moves money. */
export function addSendPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/send', (pageRequest) => showForm(pageRequest))
  addForm(app, wallet, '/send', showProposal, showForm)
  addForm(app, wallet, '/send/invoice', sendToInvoice, showFormAsTyped)
  addForm(app, wallet, '/send/user', sendToUser, showFormAsTyped)
}

/** The first page again, after its confirmation was refused: as it was filled in. */
function showFormAsTyped(pageRequest: PageRequest, problem: string): Promise<Html> {
  return showForm(pageRequest, problem, TYPED_PREFIX)
}

async function showForm(pageRequest: PageRequest, problem?: string, prefix = ''): Promise<Html> {
  const { parts, user, form, query, unit } = pageRequest
  const typed = (name: (typeof TYPED)[number]) => form.get(prefix + name)
  const balance = await parts.ledger.balance(wallet({ kind: 'user', id: user.id }))
  return pageRequest.page(
    { title: 'Send', part: 'send' },
    html`<h1>Send</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/send">${pageRequest.formFields()}
<label>To<textarea name="to" rows="3" required spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="to-hint">${typed('to') ?? query.get('to')}</textarea></label>
<p class="hint" id="to-hint">A Lightning invoice${offersHint(parts)}, a Lightning Address such as name@example.com, an LNURL code, or a gamertag of somebody here.</p>
<label>Amount in ${unit}<input name="amount" value="${typed('amount')}" inputmode="text" autocomplete="off" autocapitalize="none" aria-describedby="amount-hint"></label>
<p class="hint" id="amount-hint">You have ${formatSats(balance)}. Type 500, 1,000, 2.5k, or <b>all</b> for the most that can be sent after the fee limit. Leave it empty where the invoice says how much.</p>
${noteField(typed('note'), 'Kept in your history; sent along where the receiver takes notes.')}
<button class="primary">Look at it first</button>
</form>
</section>`,
  )
}

async function showProposal(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, form } = pageRequest
  const request = {
    userId: user.id,
    to: form.get('to') ?? '',
    amount: form.get('amount') ?? '',
    note: readNote(form.get('note')),
  }
  const proposal = await readDestination(parts, request)
  const isAll = /^\s*(all|half)\s*$/i.test(request.amount)
  return pageRequest.page({ title: 'Confirm', part: 'send' }, await confirmation(pageRequest, proposal, isAll))
}

async function confirmation(pageRequest: PageRequest, proposal: SendProposal, isAll: boolean): Promise<Html> {
  const { unit, form } = pageRequest
  const { amount, maxFee, rows, fields, action } =
    proposal.kind === 'user' ? describeUser(proposal) : describeInvoice(proposal)
  const typed = TYPED.map((name) => [TYPED_PREFIX + name, form.get(name)] as const)
  const hidden = [...Object.entries(fields), ...typed].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<h1>Check before it goes</h1>
<section class="card">
<p class="figure"><b>${formatSats(amount)}</b> <span>${unit}</span></p>
${isAll && html`<p class="hint">This is the most that can be sent while the largest possible fee is still covered${maxFee === 0n && '; here there is no fee'}.</p>`}
${facts([
  ...rows,
  ['Fee', maxFee === 0n ? 'none: it stays inside this service' : `at most ${inWords(maxFee, unit)}`],
  ['Leaves your wallet', maxFee === 0n ? inWords(amount, unit) : `at most ${inWords(amount + maxFee, unit)}`],
  ['Note', proposal.note],
])}
<form method="post" action="${action}">${pageRequest.formFields()}${hidden}
<button class="primary">Send ${inWords(amount, unit)}</button>
<a class="button" href="/wallet/send">Cancel</a>
</form>
${maxFee > 0n && html`<p class="hint">What the fee does not use stays yours. A payment over Lightning cannot be taken back.</p>`}
</section>`
}

function describeUser(proposal: ToUser) {
  const { gamertag, receiverId, amount, note } = proposal
  return {
    amount,
    maxFee: msats(0),
    rows: [['To', html`<b>${gamertag}</b>`]] as Array<readonly [string, Html | string]>,
    fields: { receiver: receiverId, amount: amount.toString(), note },
    action: '/wallet/send/user',
  }
}

/** What only some nodes can pay is named only where ours can. */
function offersHint({ backend }: PageRequest['parts']): string {
  const { offers, bitcoinNames } = backend.capabilities
  if (!offers) return ''
  return bitcoinNames ? ' or offer, a Bitcoin name such as ₿name@example.com' : ' or offer'
}

function describeInvoice(proposal: ToInvoice) {
  const { payable, maxFee, from, note, successAction } = proposal
  const { invoice, amount, askedAmount } = payable
  const { payee, description = '', text, expiresAt } = invoice
  const rows: Array<readonly [string, Html | string]> = [
    ['To', from === '' && payee ? html`<code>${payee.slice(0, 10)}…${payee.slice(-10)}</code>` : html`<b>${from}</b>`],
    ['For', description],
    ['Can be paid until', moment(expiresAt)],
  ]
  const fields = {
    invoice: text,
    amount: askedAmount?.toString() ?? '',
    'max-fee': maxFee.toString(),
    'success-action': successAction === undefined ? '' : JSON.stringify(successAction),
    note: note === '' ? from && `To ${from}` : from === '' ? note : `To ${from}: ${note}`,
  }
  return { amount, maxFee, rows, fields, action: '/wallet/send/invoice' }
}

async function sendToInvoice(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const invoice = form.get('invoice') ?? ''
  const amount = readHidden(form.get('amount'))
  const maxFee = readHidden(form.get('max-fee'))
  const description = readHiddenNote(form.get('note'))
  const successAction = form.get('success-action') ?? ''
  if (successAction !== '' && readSuccessAction(successAction) === undefined) throw tampered()
  const body = { invoice, amount: `${amount}`, maxFee: `${maxFee}`, description, successAction }
  const payer = { kind: 'user', id: user.id } as const
  return wallet.once({ userId: user.id, nonce: form.get('nonce') ?? '', form: 'send', body }, async ({ hold }) => {
    const payment = await payInvoice(parts, { payer, invoice, amount, maxFee, description, successAction }, hold)
    return paymentPath(payment.id)
  })
}

async function sendToUser(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const receiverId = form.get('receiver') ?? ''
  const amount = readHidden(form.get('amount'))
  if (amount === undefined || amount === 0n) throw tampered()
  refuseAboveMaximum(parts, amount)
  const comment = readNote(form.get('note'))
  await readUser(parts, receiverId)
  const body = { receiverId, amount: `${amount}`, comment }
  return wallet.once({ userId: user.id, nonce: form.get('nonce') ?? '', form: 'tip', body }, async ({ commit }) => {
    const { payment, change } = payUser(parts, { kind: 'user', id: user.id }, { receiverId, amount, comment })
    const path = await commit(change, `/wallet/tips/${payment.id}`)
    logGamertagPayment(parts.logger, payment)
    return path
  })
}

/** Amounts that the page itself wrote, in msats; undefined for an empty field. */
function readHidden(text: string | null): Msats | undefined {
  if (text === null || text === '') return undefined
  const amount = parseWireMsats(text)
  if (amount === undefined) throw tampered()
  return amount
}

/** The page's own words and the note after them: whom it goes to, and at most 255 characters. */
function readHiddenNote(text: string | null): string {
  const note = text ?? ''
  if (note.length > MAX_HIDDEN_NOTE || note.includes('\0')) throw tampered()
  return note
}

function tampered(): HttpProblem {
  return new HttpProblem(400, 'malformed_form', 'This form is not as the wallet page made it. Start again.')
}
