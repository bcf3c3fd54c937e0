import type { FastifyInstance } from 'fastify'
import { FetchFailed, OutgoingError } from '../../lib/http/guarded-fetch.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { decodeLnurl, InvalidLnurl } from '../../lib/lightning/lnurl.ts'
import { askToWithdraw, claimWithdrawal, LnurlProblem } from '../../lib/lightning/lnurl-client.ts'
import type { WithdrawParams } from '../../lib/lightning/lnurl-messages.ts'
import { formatSats, type Msats, msats } from '../../lib/money/amount.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { VOUCHER_PAYLOAD_PATH } from '../engine/sending/voucher-claim-record.ts'
import { PAYLOAD_PATH, withdrawParams } from '../engine/sending/withdrawal-request-record.ts'
import { prepareCharge } from '../receiving/charge.ts'
import { claimWithdrawalRequest, findClaimable } from '../withdrawal-requests/claim-withdrawal-request.ts'
import { alert, facts } from './frame.ts'
import { rangeIn, saidBy, unreadable } from './lnurl-problem-text.ts'
import { ownPath, urlRules } from './own-urls.ts'
import { addForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { type Say, WalletProblem } from './problems.ts'
import { readTypedAmount, refuseBelowOneSat } from './typed-amount.ts'

/** The lifetime of the invoice that the payer gets. */
const EXPIRES_IN_SECONDS = 600
/** Even at four bytes each, this many characters fit into a BOLT11 invoice's description. */
const MAX_DESCRIPTION_CHARACTERS = 150

/** An offer to pay the person who has the code. */
interface Offer {
  readonly host: string
  readonly min: Msats
  readonly max: Msats
  readonly description: string
  /** Submits the invoice. Resolves as soon as the other side has accepted it, before it is paid. */
  readonly claim: (invoice: string) => Promise<void>
}

/**
 * Adds the pages that claim a withdraw code (LUD-03, LUD-08) in two steps: the first shows the code's offer, and the
 * second accepts it.
 */
export function addClaimPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/claim', (pageRequest) => showForm(pageRequest))
  addForm(app, wallet, '/claim', showOffer, showForm)
  addForm(app, wallet, '/claim/take', take, showForm)
}

function showForm(pageRequest: PageRequest, problem?: string): Html {
  const { t } = pageRequest
  return pageRequest.page(
    { title: t('receive.claim'), part: 'receive' },
    html`<h1>${t('claim.title')}</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/claim">${pageRequest.formFields()}
<label>${t('link.label')}<textarea name="code" rows="3" required spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="code-hint">${pageRequest.form.get('code')}</textarea></label>
<p class="hint" id="code-hint">${t('claim.hint')}</p>
<button class="primary">${t('send.look')}</button>
</form>
</section>`,
  )
}

async function showOffer(pageRequest: PageRequest): Promise<Html> {
  const { unit, form, t } = pageRequest
  const { host, min, max, description } = await inWordsOfForms(() => readOffer(pageRequest))
  return pageRequest.page(
    { title: t('receive.claim'), part: 'receive' },
    html`<h1>${t('claim.offer', { amount: rangeIn(t, min, max, unit) })}</h1>
<section class="card">
${facts([
  [t('claim.pays'), host],
  [t('charge.for'), description],
])}
<form method="post" action="/wallet/claim/take">${pageRequest.formFields()}
<input type="hidden" name="code" value="${form.get('code')}">
${
  min === max
    ? html`<input type="hidden" name="amount" value="${formatSats(max)}">`
    : html`<label>${t('receive.amount', { unit: t.unit(unit) })}<input name="amount" value="${formatSats(max)}" inputmode="text" autocomplete="off" required></label>`
}
<button class="primary">${t('claim.take')}</button>
<a class="button" href="/wallet/receive">${t('frame.cancel')}</a>
</form>
</section>`,
  )
}

/** Makes an invoice and submits it. Resolves to the path of the invoice's page, which shows whether it was paid. */
async function take(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const code = form.get('code') ?? ''
  const amount = readTypedAmount(parts.prices, form.get('amount') ?? '', undefined)
  refuseBelowOneSat(amount)
  refuseAboveMaximum(parts, amount)
  const body = { code, amount: `${amount}` }
  return wallet.once({ userId: user.id, nonce: form.get('nonce') ?? '', form: 'claim', body }, async ({ commit }) => {
    const offer = await inWordsOfForms(() => readOffer(pageRequest))
    if (amount < offer.min || amount > offer.max) {
      throw refused((t, unit) => t('claim.outside', { range: rangeIn(t, offer.min, offer.max, unit) }))
    }
    const { charge, change } = await prepareCharge(parts, {
      projectId: null,
      payee: { kind: 'user', id: user.id },
      amount,
      description: [...offer.description].slice(0, MAX_DESCRIPTION_CHARACTERS).join(''),
      expiresIn: EXPIRES_IN_SECONDS,
      internalId: '',
      callbackUrl: '',
    })
    const path = await commit(change, `/wallet/charges/${charge.id}`)
    // If no answer came, it may have been accepted anyway. The invoice's page shows whether it is paid.
    await inWordsOfForms(() => offer.claim(charge.invoiceRequest)).catch((error: unknown) => {
      if (!(error instanceof HttpProblem && error.cause instanceof OutgoingError)) throw error
    })
    return path
  })
}

async function readOffer({ parts, form, user }: PageRequest): Promise<Offer> {
  const fetch = parts.fetch.for(user.id)
  const url = decodeLnurl(form.get('code') ?? '', urlRules(parts))
  const path = ownPath(parts, url)
  if (path === undefined) {
    const params = await askToWithdraw(fetch, url)
    return offerOf(params, (invoice) => claimWithdrawal(fetch, params, invoice))
  }
  if (path === VOUCHER_PAYLOAD_PATH) throw refused((t) => t('claim.voucher', { redeem: t('home.redeem') }))
  if (path !== PAYLOAD_PATH) throw refused((t) => t('claim.pays-nothing'))
  const secret = url.searchParams.get('secret') ?? ''
  const params = withdrawParams(parts, await findClaimable(parts, secret))
  return offerOf(params, async (invoice) => void (await claimWithdrawalRequest(parts, secret, invoice)))
}

function offerOf(params: WithdrawParams, claim: Offer['claim']): Offer {
  return {
    host: new URL(params.callback).host,
    min: msats(params.minWithdrawable),
    max: msats(params.maxWithdrawable),
    description: params.defaultDescription.replaceAll('\0', '').toWellFormed(),
    claim,
  }
}

async function inWordsOfForms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidLnurl) throw refused(unreadable(error), error)
    if (error instanceof LnurlProblem) {
      throw refused((t) => `${saidBy(t, error, 'claim.refused')} ${t('claim.not-paid')}`, error)
    }
    if (error instanceof FetchFailed && error.reason === 'busy') throw refused((t) => t('claim.busy'), error)
    if (error instanceof OutgoingError) throw refused((t) => t('claim.no-answer'), error)
    throw error
  }
}

function refused(say: Say, cause?: unknown): WalletProblem {
  return new WalletProblem(400, 'cannot_claim', say, cause)
}
