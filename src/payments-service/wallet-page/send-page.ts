import type { FastifyInstance } from 'fastify'
import { readSuccessAction } from '../../lib/lightning/success-action.ts'
import { type Msats, msats, parseWireMsats } from '../../lib/money/amount.ts'
import { parseAmountText } from '../../lib/money/amount-text.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { logGamertagPayment } from '../engine/sending/log-outcome.ts'
import { payInvoice } from '../payments/pay-invoice.ts'
import { payUser } from '../users/pay-user.ts'
import { alert, facts, moment, worthLine } from './frame.ts'
import type { Translator } from './i18n/translator.ts'
import { noteField, readNote } from './note.ts'
import { paymentPath } from './once-only.ts'
import { addForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { WalletProblem } from './problems.ts'
import { readDestination, readUser, type SendProposal, type ToInvoice, type ToUser } from './read-destination.ts'

/** The maximum length of the hidden note. It leaves room for a note of emoji and the longest address. */
const MAX_HIDDEN_NOTE = 1_000
/** The fields that a person fills in on the first page. */
const TYPED = ['to', 'amount', 'note'] as const
/** The prefix of the typed fields in the confirmation, where `amount` and `note` are the page's own values. */
const TYPED_PREFIX = 'typed-'

/**
 * Adds the pages that send sats in two steps: a person enters the receiver and the amount, then sees the cost and
 * confirms. Only the confirmation moves money.
 */
export function addSendPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/send', (pageRequest) => showForm(pageRequest))
  addForm(app, wallet, '/send', showProposal, showForm)
  addForm(app, wallet, '/send/invoice', sendToInvoice, showFormAsTyped)
  addForm(app, wallet, '/send/user', sendToUser, showFormAsTyped)
}

/** Shows the first page again, as the person filled it in, after the confirmation was refused. */
function showFormAsTyped(pageRequest: PageRequest, problem: string): Promise<Html> {
  return showForm(pageRequest, problem, TYPED_PREFIX)
}

async function showForm(pageRequest: PageRequest, problem?: string, prefix = ''): Promise<Html> {
  const { parts, user, form, query, unit, t } = pageRequest
  const typed = (name: (typeof TYPED)[number]) => form.get(prefix + name)
  const balance = await parts.ledger.balance(wallet({ kind: 'user', id: user.id }))
  return pageRequest.page(
    { title: t('parts.send'), part: 'send' },
    html`<h1>${t('parts.send')}</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/send">${pageRequest.formFields()}
<label>${t('send.to')}<input name="to" value="${typed('to') ?? query.get('to')}" required spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="to-hint"></label>
<button type="button" class="scan" data-scan="${pageRequest.wallet.assets.reader}" data-into="to" hidden>${t('send.scan')}</button>
<p class="hint" id="to-hint">${t('send.toHint')}${offersHint(pageRequest)}</p>
<label>${t('receive.amount', { unit: t.unit(unit) })}<input name="amount" value="${typed('amount')}" inputmode="text" autocomplete="off" autocapitalize="none" aria-describedby="amount-hint"></label>
<p class="hint" id="amount-hint">${t.rich('send.amountHint', { balance: t.figure(balance), all: html`<b>all</b>` })}</p>
${noteField(t, typed('note'), t('send.noteHint'))}
<button class="primary">${t('send.look')}</button>
</form>
</section>
<dialog id="camera" aria-label="${t('send.scan')}"><video playsinline muted></video>
<p role="alert" hidden>${t('send.noCamera')}</p>
<button type="button">${t('frame.cancel')}</button></dialog>`,
  )
}

async function showProposal(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, form } = pageRequest
  const request = {
    userId: user.id,
    to: form.get('to') ?? '',
    amount: form.get('amount') ?? '',
    note: readNote(form.get('note')),
    t: pageRequest.t,
  }
  const proposal = await readDestination(parts, request)
  const isAll = parseAmountText(request.amount).kind === 'all'
  return pageRequest.page(
    { title: pageRequest.t('send.confirm'), part: 'send' },
    await confirmation(pageRequest, proposal, isAll),
  )
}

async function confirmation(pageRequest: PageRequest, proposal: SendProposal, isAll: boolean): Promise<Html> {
  const { unit, form, t, worth } = pageRequest
  const { amount, maxFee, rows, fields, action } =
    proposal.kind === 'user' ? describeUser(proposal, t) : describeInvoice(proposal, t)
  const typed = TYPED.map((name) => [TYPED_PREFIX + name, form.get(name)] as const)
  const hidden = [...Object.entries(fields), ...typed].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<h1>${t('send.check')}</h1>
<section class="card">
<p class="figure"><b>${t.figure(amount)}</b> <span>${t.unit(unit)}</span></p>
${worthLine(worth(amount))}
${isAll && maxFee > 0n && html`<p class="hint">${t('send.all')}</p>`}
${facts([
  ...rows,
  [t('send.fee'), maxFee === 0n ? t('send.noFee') : t('send.atMost', { amount: t.amount(maxFee, unit) })],
  [
    t('send.leaves'),
    maxFee === 0n ? t.amount(amount, unit) : t('send.atMost', { amount: t.amount(amount + maxFee, unit) }),
  ],
  [t('receive.note'), proposal.note],
])}
<form method="post" action="${action}">${pageRequest.formFields()}${hidden}
<button class="primary">${t('send.button', { amount: t.amount(amount, unit) })}</button>
<a class="button" href="/wallet/send">${t('frame.cancel')}</a>
</form>
${maxFee > 0n && html`<p class="hint">${t('send.final')}</p>`}
</section>`
}

function describeUser(proposal: ToUser, t: Translator) {
  const { gamertag, receiverId, amount, note } = proposal
  return {
    amount,
    maxFee: msats(0),
    rows: [[t('send.to'), html`<b>${gamertag}</b>`]] as Array<readonly [string, Html | string]>,
    fields: { receiver: receiverId, amount: amount.toString(), note },
    action: '/wallet/send/user',
  }
}

/** Mentions the destinations that only some nodes can pay, if ours can. */
function offersHint({ parts, t }: PageRequest): string {
  const { offers, bitcoinNames } = parts.backend.capabilities
  if (!offers) return ''
  return ` ${t(bitcoinNames ? 'send.bitcoinNames' : 'send.offers')}`
}

function describeInvoice(proposal: ToInvoice, t: Translator) {
  const { payable, maxFee, from, note, successAction } = proposal
  const { invoice, amount, askedAmount } = payable
  const { payee, description = '', text, expiresAt } = invoice
  const rows: Array<readonly [string, Html | string]> = [
    [
      t('send.to'),
      from === '' && payee ? html`<code>${payee.slice(0, 10)}…${payee.slice(-10)}</code>` : html`<b>${from}</b>`,
    ],
    [t('charge.for'), description],
    [t('send.until'), moment(expiresAt, t.code)],
  ]
  const fields = {
    invoice: text,
    amount: askedAmount?.toString() ?? '',
    'max-fee': maxFee.toString(),
    'success-action': successAction === undefined ? '' : JSON.stringify(successAction),
    // It is stored as it is, so it must be correct in every language.
    note: [from, note].filter(Boolean).join(': '),
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

/** Reads an amount in msats that the page itself wrote; undefined for an empty field. */
function readHidden(text: string | null): Msats | undefined {
  if (text === null || text === '') return undefined
  const amount = parseWireMsats(text)
  if (amount === undefined) throw tampered()
  return amount
}

/**
 * Reads the hidden note, which the page itself wrote: the receiver, then the person's note of at most 255 characters.
 */
function readHiddenNote(text: string | null): string {
  const note = text ?? ''
  if (note.length > MAX_HIDDEN_NOTE || note.includes('\0')) throw tampered()
  return note
}

function tampered(): WalletProblem {
  return new WalletProblem(400, 'malformed_form', (t) => t('errors.brokenForm'))
}
