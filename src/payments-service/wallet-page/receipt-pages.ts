import type { FastifyInstance } from 'fastify'
import { type Html, type HtmlPart, html } from '../../lib/http/html.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { readSuccessAction } from '../../lib/lightning/lnurl-messages.ts'
import type { Payment } from '../generated/client.ts'
import { isFinal } from '../machines/sending/payment-record.ts'
import { copyable, facts, inWords, moment } from './frame.ts'
import { type IconName, icon } from './icons.ts'
import { addPage, addState, type PageRequest, type WalletPageParts } from './page-request.ts'

/** What came of a payment, a tip or a voucher, for the person who had a part in it. */
export function addReceiptPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/payments/:id', showPayment)
  addState(app, wallet, '/payments/:id/state', async (pageRequest) => ({
    state: (await findPayment(pageRequest)).status,
  }))
  addPage(app, wallet, '/tips/:id', showTip)
  addPage(app, wallet, '/vouchers/:id', showVoucher)
}

async function findPayment({ parts, user, params }: PageRequest): Promise<Payment> {
  const payment = await parts.database.read.payment.findUnique({ where: { id: params.id ?? '' } })
  if (payment === null || payment.payerKind !== 'user' || payment.payerId !== user.id) throw notYours('payment')
  return payment
}

const OUTCOMES: Readonly<Record<'completed' | 'failed' | 'open', readonly [IconName, string, string]>> = {
  completed: ['done', 'Sent', 'It has arrived.'],
  failed: [
    'failed',
    'Not sent',
    'The payment failed, and nothing was paid. Everything that was set aside for it is back in your wallet. Ask the receiver for a new invoice, or try again later.',
  ],
  open: [
    'waiting',
    'Under way',
    'The payment has left, and its end is not known yet. This can take a moment, in rare cases up to two weeks. Do not send it again: what is set aside for it is either paid or comes back by itself.',
  ],
}

async function showPayment(pageRequest: PageRequest): Promise<Html> {
  const { unit } = pageRequest
  const payment = await findPayment(pageRequest)
  const { amount, maxFee, status, preimage } = payment
  const fee = payment.fee ?? 0n
  const [drawing, title, words] =
    OUTCOMES[isFinal(payment) ? (status === 'completed' ? 'completed' : 'failed') : 'open']
  const watch = isFinal(payment) ? undefined : { path: `/wallet/payments/${payment.id}/state`, state: status }
  return pageRequest.page(
    { title, part: 'send', isEnglish: true, watch },
    html`<section class="card centred">
<p class="seal ${drawing}">${icon(drawing)}</p>
<h1>${title}: ${inWords(amount, unit)}</h1>
<p>${words}</p>
${status === 'completed' && successWords(payment)}
${facts([
  ['Note', payment.description],
  ['Fee', status === 'completed' && (fee === 0n ? 'none' : inWords(fee, unit))],
  ['Set aside', !isFinal(payment) && inWords(amount + maxFee, unit)],
  ['Why', status === 'failed' && payment.failure],
  ['Begun', moment(payment.createdAt)],
  ['Arrived', payment.confirmedAt && moment(payment.confirmedAt)],
])}
${status === 'completed' && preimage === null && html`<p class="hint">The payment stayed inside this service, whose node gives no preimage as a proof of it.</p>`}
${status === 'completed' && preimage !== null && html`<details><summary>Proof of payment</summary><p class="hint">Anybody who has this preimage can show that the invoice was paid.</p>${copyable(pageRequest.t, 'Preimage', preimage)}</details>`}
<p><a class="button primary" href="/wallet">Back to the wallet</a></p>
</section>`,
  )
}

/** What the receiver says to the person who paid (LUD-09). It is the receiver's, and is shown as such. */
function successWords({ successAction }: Payment): HtmlPart {
  const action = readSuccessAction(successAction)
  if (action === undefined) return undefined
  if (action.tag === 'message') return html`<p>The receiver says: <q>${action.message}</q></p>`
  const { hostname } = new URL(action.url)
  return html`<p>The receiver says: <q>${action.description}</q></p>
<p><a class="button" href="${action.url}" rel="noopener noreferrer" target="_blank">Open their page at ${hostname}</a></p>`
}

async function showTip(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, params, unit } = pageRequest
  const { read } = parts.database
  const tip = await read.gamertagPayment.findUnique({ where: { id: params.id ?? '' } })
  const isPayer = tip?.payerKind === 'user' && tip.payerId === user.id
  if (tip === null || !(isPayer || tip.receiverId === user.id)) throw notYours('tip')
  const otherId = isPayer ? tip.receiverId : tip.payerId
  const other =
    isPayer || tip.payerKind === 'user'
      ? (await read.user.findUnique({ where: { id: otherId } }))?.gamertag
      : (await read.project.findUnique({ where: { id: otherId } }))?.name
  return pageRequest.page(
    { title: isPayer ? 'Sent' : 'Received', part: 'history', isEnglish: true },
    html`<section class="card centred">
<p class="seal done">${icon('done')}</p>
<h1>${isPayer ? 'Sent' : 'Received'}: ${inWords(tip.amount, unit)}</h1>
${tip.comment !== '' && html`<p><q>${tip.comment}</q></p>`}
${facts([
  [isPayer ? 'To' : 'From', other],
  ['Fee', isPayer && 'none'],
  ['When', moment(tip.settledAt)],
])}
<p><a class="button primary" href="/wallet">Back to the wallet</a></p>
</section>`,
  )
}

async function showVoucher(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, params, unit } = pageRequest
  const voucher = await parts.database.read.voucher.findUnique({ where: { id: params.id ?? '' } })
  if (voucher === null || voucher.redeemedById !== user.id) throw notYours('voucher')
  return pageRequest.page(
    { title: 'Voucher redeemed', part: 'history', isEnglish: true },
    html`<section class="card centred">
<p class="seal done">${icon('done')}</p>
<h1>${inWords(voucher.amount, unit)} are yours</h1>
${facts([
  ['Voucher', voucher.description],
  ['Redeemed', voucher.redeemedAt && moment(voucher.redeemedAt)],
])}
<p><a class="button primary" href="/wallet">Back to the wallet</a></p>
</section>`,
  )
}

function notYours(what: string): HttpProblem {
  return new HttpProblem(404, 'not_found', `There is no such ${what} in your wallet. Look into your history.`)
}
