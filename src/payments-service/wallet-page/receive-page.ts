import type { FastifyInstance } from 'fastify'
import { encodeLnurl, lightningUri } from '../../lib/lightning/lnurl.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { Charge } from '../generated/client.ts'
import { prepareCharge } from '../receiving/charge.ts'
import { offerOf } from '../receiving/own-offer.ts'
import { addressOf, findPayableName } from '../receiving/payable-name.ts'
import { alert, copyable, facts, moment, qrPicture, worthLine } from './frame.ts'
import { icon } from './icons.ts'
import { noteField, readNote } from './note.ts'
import { addForm, addPage, addState, type PageRequest, type WalletPageParts } from './page-request.ts'
import { WalletProblem } from './problems.ts'
import { readTypedAmount, refuseBelowOneSat } from './typed-amount.ts'

/** A day, because the person who gets the invoice may not see it immediately. */
const EXPIRES_IN_SECONDS = 24 * 3_600

/** Adds the pages for the Lightning Address and for charges of a given amount. */
export function addReceivePages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/receive', (pageRequest) => showReceive(pageRequest))
  addForm(app, wallet, '/receive', createCharge, showReceive)
  addPage(app, wallet, '/charges/:id', showCharge)
  addState(app, wallet, '/charges/:id/state', async (pageRequest) => ({
    state: stateOf(pageRequest, await findCharge(pageRequest)),
  }))
}

async function showReceive(pageRequest: PageRequest, problem?: string): Promise<Html> {
  const { parts, user, form, unit, t } = pageRequest
  const address = addressOf(parts, user.gamertag)
  const code = encodeLnurl(`${parts.publicUrl}/.well-known/lnurlp/${user.gamertag.toLowerCase()}`)
  return pageRequest.page(
    { title: t('parts.receive'), part: 'receive' },
    html`<h1>${t('parts.receive')}</h1>
${alert(problem)}
<section class="card" aria-labelledby="ask">
<h2 id="ask">${t('receive.ask')}</h2>
<form method="post" action="/wallet/receive">${pageRequest.formFields()}
<label>${t('receive.amount', { unit: t.unit(unit) })}<input name="amount" value="${form.get('amount')}" inputmode="text" autocomplete="off" autocapitalize="none" required aria-describedby="amount-hint"></label>
<p class="hint" id="amount-hint">${t('receive.examples')}</p>
${noteField(t, form.get('note'), t('receive.noteHint'))}
<button class="primary">${t('receive.make')}</button>
</form>
</section>
<section class="card" aria-labelledby="address">
<h2 id="address">${t('receive.address')}</h2>
<p>${t('receive.addressHint')}</p>
${copyable(t, t('receive.addressLabel'), address, 1)}
${qrPicture(await pageRequest.wallet.qrPicture(lightningUri(code)), t('receive.qr', { who: address }))}
<details><summary>${t('receive.code')}</summary>${copyable(t, 'LNURL', code)}</details>
${await ownOffer(pageRequest)}
</section>
<div class="actions">
<a class="button" href="/wallet/claim">${t('receive.claim')}</a>
<a class="button" href="/wallet/redeem">${t('home.redeem')}</a>
</div>`,
  )
}

/** Shows an offer beside the Lightning Address, if the node can be paid through offers. */
async function ownOffer({ parts, user, t }: PageRequest): Promise<Html> {
  const payable = await findPayableName(parts, user.gamertag)
  const offer = payable && (await offerOf(parts, payable))
  if (offer === undefined) return html``
  return html`<details><summary>${t('receive.offer')}</summary>
<p class="hint">${t('receive.offerHint')}</p>
${copyable(t, t('receive.offer'), offer)}</details>`
}

async function createCharge(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const amount = readTypedAmount(parts.prices, form.get('amount') ?? '', undefined)
  refuseBelowOneSat(amount)
  refuseAboveMaximum(parts, amount)
  const description = readNote(form.get('note'))
  const body = { amount: amount.toString(), description }
  return wallet.once({ userId: user.id, nonce: form.get('nonce') ?? '', form: 'receive', body }, async ({ commit }) => {
    const { charge, change } = await prepareCharge(parts, {
      projectId: null,
      payee: { kind: 'user', id: user.id },
      amount,
      description,
      expiresIn: EXPIRES_IN_SECONDS,
      internalId: '',
      callbackUrl: '',
    })
    return commit(change, `/wallet/charges/${charge.id}`)
  })
}

/** Finds a charge that pays the visitor, no matter who created it. Throws WalletProblem if there is none. */
async function findCharge({ parts, user, params }: PageRequest): Promise<Charge> {
  const charge = await parts.database.read.charge.findUnique({ where: { id: params.id ?? '' } })
  if (charge === null || charge.payeeKind !== 'user' || charge.payeeId !== user.id) {
    throw new WalletProblem(404, 'not_found', (t) => t('errors.noInvoice'))
  }
  return charge
}

type ChargeState = 'open' | 'paid' | 'expired'

function stateOf({ parts }: PageRequest, charge: Charge): ChargeState {
  if (charge.status === 'CHARGE_COMPLETED') return 'paid'
  return charge.status === 'CHARGE_EXPIRED' || charge.expiresAt.getTime() <= parts.clock.now() ? 'expired' : 'open'
}

async function showCharge(pageRequest: PageRequest): Promise<Html> {
  const charge = await findCharge(pageRequest)
  const state = stateOf(pageRequest, charge)
  const { t } = pageRequest
  const amount = t.amount(charge.amount, pageRequest.unit)
  const shown = { open: showOpen, paid: showPaid, expired: showExpired }[state]
  const watch = state === 'open' ? { path: `/wallet/charges/${charge.id}/state`, state } : undefined
  return pageRequest.page(
    { title: t('charge.title', { amount }), part: 'receive', watch },
    await shown(charge, amount, pageRequest),
  )
}

async function showOpen(charge: Charge, amount: string, { wallet, t, worth }: PageRequest): Promise<Html> {
  return html`<section class="card centred">
<h1>${t('charge.title', { amount })}</h1>
${worthLine(worth(charge.amount))}
${charge.description !== '' && html`<p><q>${charge.description}</q></p>`}
${qrPicture(await wallet.qrPicture(charge.invoiceRequest), t('charge.qr', { amount }))}
<p class="status" role="status">${icon('waiting')}<span>${t.rich('charge.waiting', { time: moment(charge.expiresAt, t.code) })}</span></p>
${copyable(t, t('charge.invoice'), charge.invoiceRequest)}
<p><a class="button" href="${lightningUri(charge.invoiceRequest)}">${t('charge.open')}</a></p>
</section>`
}

async function showPaid(charge: Charge, amount: string, { t }: PageRequest): Promise<Html> {
  return html`<section class="card centred">
<p class="seal done">${icon('done')}</p>
<h1>${t('charge.paid', { amount })}</h1>
${facts([
  [t('charge.for'), charge.description],
  [t('charge.paidAt'), charge.confirmedAt && moment(charge.confirmedAt, t.code)],
])}
<p><a class="button primary" href="/wallet">${t('frame.back')}</a></p>
</section>`
}

async function showExpired(charge: Charge, amount: string, { t }: PageRequest): Promise<Html> {
  return html`<section class="card centred">
<p class="seal">${icon('waiting')}</p>
<h1>${t('charge.expired')}</h1>
<p>${t('charge.expiredWords', { amount })}</p>
${charge.description !== '' && html`<p><q>${charge.description}</q></p>`}
<p><a class="button primary" href="/wallet/receive">${t('charge.again')}</a></p>
</section>`
}
