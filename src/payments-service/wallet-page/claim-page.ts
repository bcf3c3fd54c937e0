import type { FastifyInstance } from 'fastify'
import { FetchFailed, OutgoingError } from '../../lib/http/guarded-fetch.ts'
import { type Html, html } from '../../lib/http/html.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { decodeLnurl, InvalidLnurl } from '../../lib/lightning/lnurl.ts'
import { askToWithdraw, claimWithdrawal, LnurlProblem } from '../../lib/lightning/lnurl-client.ts'
import type { WithdrawParams } from '../../lib/lightning/lnurl-messages.ts'
import { formatSats, type Msats, msats } from '../../lib/money/amount.ts'
import { refuseAboveMaximum } from '../machines/node/amount-limits.ts'
import { VOUCHER_PAYLOAD_PATH } from '../machines/sending/voucher-claim-record.ts'
import { PAYLOAD_PATH, withdrawParams } from '../machines/sending/withdrawal-request-record.ts'
import { prepareCharge } from '../receiving/charge.ts'
import { claimWithdrawalRequest, findClaimable } from '../withdrawal-requests/claim-withdrawal-request.ts'
import { alert, facts, inWords } from './frame.ts'
import { ownPath, urlRules } from './own-address.ts'
import { addForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { readTypedAmount, refuseBelowOneSat } from './typed-amount.ts'

/** As long as the invoice lives that is handed to the payer. */
const EXPIRES_IN_SECONDS = 600
/** Four bytes each fit into the description of a BOLT11 invoice. */
const MAX_DESCRIPTION_CHARACTERS = 150

/** Somebody's offer to pay the person who has the code. */
interface Offer {
  readonly host: string
  readonly min: Msats
  readonly max: Msats
  readonly description: string
  /** Hands in the invoice that is to be paid. Resolves when it was accepted, which is not yet paid. */
  readonly claim: (invoice: string) => Promise<void>
}

/** Claiming a withdraw code (LUD-03, LUD-08) in two steps: see what it offers, and take it. */
export function addClaimPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/claim', (pageRequest) => showForm(pageRequest))
  addForm(app, wallet, '/claim', showOffer, showForm)
  addForm(app, wallet, '/claim/take', take, showForm)
}

function showForm(pageRequest: PageRequest, problem?: string): Html {
  return pageRequest.page(
    { title: 'Claim a code', part: 'receive', isEnglish: true },
    html`<h1>Claim a withdraw code</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/claim">${pageRequest.formFields()}
<label>Code<textarea name="code" rows="3" required spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="code-hint">${pageRequest.form.get('code')}</textarea></label>
<p class="hint" id="code-hint">It starts with LNURL1 or lnurlw. Anybody who claims it first has the sats.</p>
<button class="primary">Look at it first</button>
</form>
</section>`,
  )
}

async function showOffer(pageRequest: PageRequest): Promise<Html> {
  const { unit, form } = pageRequest
  const { host, min, max, description } = await inWordsOfForms(() => readOffer(pageRequest))
  const amount = min === max ? inWords(max, unit) : `${formatSats(min)} to ${inWords(max, unit)}`
  return pageRequest.page(
    { title: 'Claim a code', part: 'receive', isEnglish: true },
    html`<h1>Claim ${amount}</h1>
<section class="card">
${facts([
  ['Pays', host],
  ['For', description],
])}
<form method="post" action="/wallet/claim/take">${pageRequest.formFields()}
<input type="hidden" name="code" value="${form.get('code')}">
${
  min === max
    ? html`<input type="hidden" name="amount" value="${formatSats(max)}">`
    : html`<label>Amount in ${unit}<input name="amount" value="${formatSats(max)}" inputmode="text" autocomplete="off" required></label>`
}
<button class="primary">Claim it</button>
<a class="button" href="/wallet/receive">Cancel</a>
</form>
</section>`,
  )
}

/** Makes an invoice and hands it in. What came of it is seen on the invoice's own page: paid, or not. */
async function take(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const code = form.get('code') ?? ''
  const amount = readTypedAmount(form.get('amount') ?? '', undefined)
  refuseBelowOneSat(amount)
  refuseAboveMaximum(parts, amount)
  const body = { code, amount: `${amount}` }
  return wallet.once({ userId: user.id, nonce: form.get('nonce') ?? '', form: 'claim', body }, async ({ commit }) => {
    const offer = await inWordsOfForms(() => readOffer(pageRequest))
    if (amount < offer.min || amount > offer.max) {
      throw refused(`This code pays from ${formatSats(offer.min)} to ${formatSats(offer.max)} sats. Change the amount.`)
    }
    const { charge, change } = await prepareCharge(parts, {
      projectId: null,
      userId: user.id,
      amount,
      description: [...offer.description].slice(0, MAX_DESCRIPTION_CHARACTERS).join(''),
      expiresIn: EXPIRES_IN_SECONDS,
      internalId: '',
      callbackUrl: '',
    })
    const path = await commit(change, `/wallet/charges/${charge.id}`)
    // Where no answer came, it may have been accepted all the same: the invoice's page shows whether it is paid.
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
  if (path === VOUCHER_PAYLOAD_PATH) {
    throw refused(
      'This is a voucher of this service. Choose "Redeem a voucher" and enter its eight letters and digits: then all of it arrives.',
    )
  }
  if (path !== PAYLOAD_PATH) throw refused('This code pays nothing out. If it is for paying in, send to it instead.')
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
    if (error instanceof InvalidLnurl) throw refused(error.message, error)
    if (error instanceof LnurlProblem) throw refused(`${error.message} Nothing was paid out.`, error)
    if (error instanceof FetchFailed && error.reason === 'busy') {
      throw refused('You have several codes open already. Wait until one of them answers, then try again.', error)
    }
    if (error instanceof OutgoingError) {
      throw refused('Nobody answers at the address in this code. Check it, or try again later.', error)
    }
    throw error
  }
}

function refused(message: string, cause?: unknown): HttpProblem {
  const problem = new HttpProblem(400, 'cannot_claim', message)
  problem.cause = cause
  return problem
}
