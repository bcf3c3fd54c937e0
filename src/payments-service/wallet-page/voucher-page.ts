import type { FastifyInstance } from 'fastify'
import { readPasted } from '../../lib/pasted-text.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { redeemVoucher } from '../vouchers/end-voucher.ts'
import { alert } from './frame.ts'
import { addForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { WalletProblem } from './problems.ts'

/** Adds the page on which a voucher's code is redeemed. */
export function addVoucherPage(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/redeem', (pageRequest) => showForm(pageRequest))
  addForm(app, wallet, '/redeem', redeem, showForm)
}

function showForm(pageRequest: PageRequest, problem?: string): Html {
  const { t } = pageRequest
  return pageRequest.page(
    { title: t('home.redeem'), part: 'home' },
    html`<h1>${t('home.redeem')}</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/redeem">${pageRequest.formFields()}
<label>${t('link.label')}<input class="code" name="code" value="${pageRequest.form.get('code')}" maxlength="20" required autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="code-hint"></label>
<p class="hint" id="code-hint">${t('redeem.hint')}</p>
<button class="primary">${t('redeem.button')}</button>
</form>
</section>`,
  )
}

async function redeem(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const code = readPasted(form.get('code') ?? '').replace(/[\s-]/g, '')
  if (!operations.redeemVoucher.body.shape.code.safeParse(code).success) {
    throw new WalletProblem(400, 'invalid_field', (t) => t('redeem.wrong'))
  }
  const redeemer = { kind: 'user', id: user.id } as const
  const submission = { userId: user.id, nonce: form.get('nonce') ?? '', form: 'redeem', body: { code } }
  return wallet.once(submission, ({ commit }) =>
    redeemVoucher(parts, { redeemer, guesser: { user: user.id }, code }, (change, voucher) =>
      commit(change, `/wallet/vouchers/${voucher.id}`),
    ),
  )
}
