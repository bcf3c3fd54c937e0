import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/http/html.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { redeemVoucher } from '../vouchers/end-voucher.ts'
import { alert } from './frame.ts'
import { addForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'

/** Turning a voucher's code into sats. */
export function addVoucherPage(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/redeem', (pageRequest) => showForm(pageRequest))
  addForm(app, wallet, '/redeem', redeem, showForm)
}

function showForm(pageRequest: PageRequest, problem?: string): Html {
  return pageRequest.page(
    { title: 'Redeem a voucher', part: 'home', isEnglish: true },
    html`<h1>Redeem a voucher</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/redeem">${pageRequest.formFields()}
<label>Code<input class="code" name="code" value="${pageRequest.form.get('code')}" maxlength="20" required autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="code-hint"></label>
<p class="hint" id="code-hint">Eight letters and digits. Anybody who redeems it first has the sats.</p>
<button class="primary">Redeem</button>
</form>
</section>`,
  )
}

async function redeem(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form, wallet } = pageRequest
  const code = (form.get('code') ?? '').replace(/[\s-]/g, '')
  if (!operations.redeemVoucher.body.shape.code.safeParse(code).success) {
    throw new ServiceRefusal('invalid_field', 'A voucher code has eight letters and digits. Check what you typed.')
  }
  const redeemer = { kind: 'user', id: user.id } as const
  const submission = { userId: user.id, nonce: form.get('nonce') ?? '', form: 'redeem', body: { code } }
  return wallet.once(submission, ({ commit }) =>
    redeemVoucher(parts, { redeemer, guesser: { user: user.id }, code }, (change, voucher) =>
      commit(change, `/wallet/vouchers/${voucher.id}`),
    ),
  )
}
