import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/html.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../service-refusal.ts'
import { redeemVoucher } from '../vouchers/end-voucher.ts'
import { alert } from './frame.ts'
import { addForm, addPage, type Visit, type WalletDesk } from './visit.ts'

/** Turning a voucher's code into sats. */
export function addVoucherPage(app: FastifyInstance, desk: WalletDesk): void {
  addPage(app, desk, '/redeem', (visit) => showForm(visit))
  addForm(app, desk, '/redeem', redeem, showForm)
}

function showForm(visit: Visit, problem?: string): Html {
  return visit.page(
    { title: 'Redeem a voucher', part: 'home' },
    html`<h1>Redeem a voucher</h1>
${alert(problem)}
<section class="card">
<form method="post" action="/wallet/redeem">${visit.formFields()}
<label>Code<input class="code" name="code" value="${visit.form.get('code')}" maxlength="20" required autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="code-hint"></label>
<p class="hint" id="code-hint">Eight letters and digits. Whoever redeems it first has the sats.</p>
<button class="primary">Redeem</button>
</form>
</section>`,
  )
}

async function redeem(visit: Visit): Promise<string> {
  const { parts, user, form, desk } = visit
  const code = (form.get('code') ?? '').replace(/[\s-]/g, '')
  if (!operations.redeemVoucher.body.shape.code.safeParse(code).success) {
    throw new ServiceRefusal('invalid_field', 'A voucher code has eight letters and digits. Check what you typed.')
  }
  const redeemer = { kind: 'user', id: user.id } as const
  const submission = { userId: user.id, nonce: form.get('nonce') ?? '', form: 'redeem', body: { code } }
  return desk.once(submission, ({ commit }) =>
    redeemVoucher(parts, { redeemer, guesser: { user: user.id }, code }, (change, voucher) =>
      commit(change, `/wallet/vouchers/${voucher.id}`),
    ),
  )
}
