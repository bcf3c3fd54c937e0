import { type Html, html } from '../../lib/web/html.ts'
import { LINK_CODE_MINUTES, newLinkCode } from '../users/link-code.ts'
import { copyable } from './frame.ts'
import type { PageRequest } from './page-request.ts'

/**
 * Builds the settings card with the button for a link code, by which users prove to a bot that they own this gamertag.
 */
export function linkCodeCard(pageRequest: PageRequest): Html {
  const { t } = pageRequest
  return html`<section class="card" aria-labelledby="link-code">
<h2 id="link-code">${t('link.title')}</h2>
<p>${t.rich('link.why', { command: html`<b>${t.command('link')}</b>` })}</p>
<form method="post" action="/wallet/link-code">${pageRequest.formFields()}<button>${t('link.button')}</button></form>
</section>`
}

/** Makes a link code and shows it. It cannot be shown again. */
export async function showLinkCode(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, t } = pageRequest
  const title = t('link.code', { command: t.command('link') })
  const { code, row } = newLinkCode(parts, user.id)
  await parts.ledger.commit({ rows: [row] })
  return pageRequest.page(
    { title, part: 'settings' },
    html`<section class="card centred">
<h1>${title}</h1>
<p>${t.rich('link.how', {
      command: html`<b>${t.command('link')}</b>`,
      name: html`<b>${user.gamertag}</b>`,
      time: t.duration(LINK_CODE_MINUTES, 'minute'),
    })}</p>
${copyable(t, t('link.label'), code, 1)}
<p class="hint">${t('link.hint')}</p>
<p><a class="button" href="/wallet/settings">${t('frame.done')}</a></p>
</section>`,
  )
}
