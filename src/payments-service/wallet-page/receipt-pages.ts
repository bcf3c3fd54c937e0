import type { FastifyInstance } from 'fastify'
import { readSuccessAction, wordsOf } from '../../lib/lightning/success-action.ts'
import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import type { FailureCode } from '../backends/backend.ts'
import { isFinal } from '../engine/sending/payment-record.ts'
import type { Payment } from '../generated/client.ts'
import { copyable, facts, moment } from './frame.ts'
import type { Key, Translator } from './i18n/translator.ts'
import { type IconName, icon } from './icons.ts'
import { descriptionIn, giftIn, giverIn, receiverIn } from './other-person.ts'
import { addPage, addState, type PageRequest, type WalletPageParts } from './page-request.ts'
import { WalletProblem } from './problems.ts'

/** Adds pages that show the outcome of a payment, a tip or a voucher to its participants. */
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
  if (payment === null || payment.payerKind !== 'user' || payment.payerId !== user.id)
    throw notYours('errors.noPayment')
  return payment
}

const OUTCOMES = {
  completed: ['done', 'items.sent', 'receipt.arrived'],
  failed: ['failed', 'receipt.notSent', 'receipt.failed'],
  open: ['waiting', 'receipt.underWay', 'receipt.open'],
} as const satisfies Record<string, readonly [IconName, Key, Key]>

async function showPayment(pageRequest: PageRequest): Promise<Html> {
  const { unit, t } = pageRequest
  const payment = await findPayment(pageRequest)
  const { amount, maxFee, status, preimage } = payment
  const fee = payment.fee ?? 0n
  const to = receiverIn(payment.description)
  const [drawing, outcome, words] =
    OUTCOMES[isFinal(payment) ? (status === 'completed' ? 'completed' : 'failed') : 'open']
  const watch = isFinal(payment) ? undefined : { path: `/wallet/payments/${payment.id}/state`, state: status }
  return pageRequest.page(
    { title: t(outcome), part: 'send', watch },
    html`<section class="card centred">
<p class="seal ${drawing}">${icon(drawing)}</p>
<h1>${t('receipt.heading', { what: t(outcome), amount: t.amount(amount, unit) })}</h1>
<p>${t(words)}</p>
${status === 'completed' && successWords(payment, t)}
${facts([
  [t('send.to'), to && html`<bdi>${to.name}</bdi>`],
  [t('receive.note'), to?.note ?? payment.description],
  [t('send.fee'), status === 'completed' && (fee === 0n ? t('receipt.free') : t.amount(fee, unit))],
  [t('receipt.setAside'), !isFinal(payment) && t.amount(amount + maxFee, unit)],
  ...(status === 'failed' ? [whyFailed(payment, t)] : []),
  [t('receipt.begun'), moment(payment.createdAt, t.code)],
  [t('receipt.arrivedAt'), payment.confirmedAt && moment(payment.confirmedAt, t.code)],
])}
${status === 'completed' && preimage === null && html`<p class="hint">${t('receipt.noProof')}</p>`}
${status === 'completed' && preimage !== null && html`<details><summary>${t('receipt.proof')}</summary><p class="hint">${t('receipt.proofHint')}</p>${copyable(t, t('receipt.preimage'), preimage)}</details>`}
<p><a class="button primary" href="/wallet">${t('frame.back')}</a></p>
</section>`,
  )
}

/**
 * Explains why a payment failed, in the reader's language. Quotes the node's English words only if there is no code.
 */
function whyFailed({ failure, failureCode }: Payment, t: Translator): readonly [string, HtmlPart] {
  const key = FAILURES[failureCode]
  if (key !== undefined) return [t('receipt.reason'), t(key)]
  return [t('receipt.why'), failure !== '' && html`<q lang="en">${failure}</q>`]
}

const FAILURES: Readonly<Record<string, Key>> = {
  no_route: 'failures.no_route',
  timed_out: 'failures.timed_out',
  no_liquidity: 'failures.no_liquidity',
  invoice_expired: 'failures.invoice_expired',
  refused_by_payee: 'failures.refused_by_payee',
  refused_by_node: 'failures.refused_by_node',
} satisfies Partial<Record<FailureCode, Key>>

/** Shows the receiver's message to the payer (LUD-09), marked as the receiver's words. */
function successWords({ successAction, preimage }: Payment, t: Translator): HtmlPart {
  const action = readSuccessAction(successAction)
  if (action === undefined) return undefined
  const { words, url, secret } = wordsOf(action, preimage ?? undefined)
  return html`${words !== '' && html`<p>${t.rich('receipt.says', { words: html`<q>${words}</q>` })}</p>`}
${secret === 'locked' && html`<p class="hint">${t('receipt.locked')}</p>`}
${secret !== undefined && secret !== 'locked' && copyable(t, t('receipt.secret'), secret)}
${url !== undefined && html`<p><a class="button" href="${url}" rel="noopener noreferrer" target="_blank">${t('receipt.page', { host: new URL(url).hostname })}</a></p>`}`
}

async function showTip(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, params, unit, t } = pageRequest
  const { read } = parts.database
  const tip = await read.gamertagPayment.findUnique({ where: { id: params.id ?? '' } })
  const isPayer = tip?.payerKind === 'user' && tip.payerId === user.id
  if (tip === null || !(isPayer || tip.receiverId === user.id)) throw notYours('errors.noTip')
  const otherId = isPayer ? tip.receiverId : tip.payerId
  const other =
    isPayer || tip.payerKind === 'user'
      ? (await read.user.findUnique({ where: { id: otherId } }))?.gamertag
      : (await read.project.findUnique({ where: { id: otherId } }))?.name
  const giver = tip.payerKind === 'project' ? giverIn(tip.comment) : undefined
  const gift = tip.payerKind === 'project' ? giftIn(tip.comment) : undefined
  const note = (giver ?? gift)?.note ?? tip.comment
  const what = t(isPayer ? 'items.sent' : 'items.received')
  return pageRequest.page(
    { title: what, part: 'history' },
    html`<section class="card centred">
<p class="seal done">${icon('done')}</p>
<h1>${t('receipt.heading', { what, amount: t.amount(tip.amount, unit) })}</h1>
${gift && html`<p>${t(gift.what)}</p>`}
${note !== '' && html`<p><q dir="auto">${note}</q></p>`}
${facts([
  [
    t(isPayer ? 'send.to' : 'receipt.from'),
    giver === undefined ? other : html`<bdi>${giver.name}</bdi> · <bdi>${other}</bdi>`,
  ],
  [t('send.fee'), isPayer && t('receipt.free')],
  [t('receipt.when'), moment(tip.settledAt, t.code)],
])}
<p><a class="button primary" href="/wallet">${t('frame.back')}</a></p>
</section>`,
  )
}

async function showVoucher(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, params, unit, t } = pageRequest
  const voucher = await parts.database.read.voucher.findUnique({ where: { id: params.id ?? '' } })
  if (voucher === null || voucher.redeemedById !== user.id) throw notYours('errors.noVoucher')
  return pageRequest.page(
    { title: t('items.voucher'), part: 'history' },
    html`<section class="card centred">
<p class="seal done">${icon('done')}</p>
<h1>${t('receipt.yours', { amount: t.amount(voucher.amount, unit) })}</h1>
${facts([
  [t('charge.for'), descriptionIn(t, voucher.description)],
  [t('receipt.redeemed'), voucher.redeemedAt && moment(voucher.redeemedAt, t.code)],
])}
<p><a class="button primary" href="/wallet">${t('frame.back')}</a></p>
</section>`,
  )
}

function notYours(key: Key): WalletProblem {
  return new WalletProblem(404, 'not_found', (t) => t(key))
}
