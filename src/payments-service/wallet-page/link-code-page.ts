import { type Html, html } from '../../lib/http/html.ts'
import { LINK_CODE_MINUTES, newLinkCode } from '../users/link-code.ts'
import { copyable } from './frame.ts'
import type { PageRequest } from './page-request.ts'

/** In the settings: the way to a code that proves elsewhere whose gamertag this is. */
export function linkCodeCard(pageRequest: PageRequest): Html {
  return html`<section class="card" aria-labelledby="link-code">
<h2 id="link-code">Tips from a community</h2>
<p>Have the tips that you get on Discord sent here: show that this gamertag is yours, with a code for <b>/link</b>.</p>
<form method="post" action="/wallet/link-code">${pageRequest.formFields()}<button>Show a code</button></form>
</section>`
}

/** Shows a new code, once. */
export async function showLinkCode(pageRequest: PageRequest): Promise<Html> {
  const { parts, user } = pageRequest
  const { code, row } = newLinkCode(parts, user.id)
  await parts.ledger.commit({ rows: [row] })
  return pageRequest.page(
    { title: 'Code for /link', part: 'settings' },
    html`<section class="card centred">
<h1>Code for /link</h1>
<p>On Discord, use <b>/link</b> with the gamertag <b>${user.gamertag}</b> and this code within ${LINK_CODE_MINUTES} minutes. It works once.</p>
${copyable('Code', code)}
<p class="hint">Enter it yourself, and give it to nobody: who has it can have your gamertag linked to them.</p>
<p><a class="button" href="/wallet/settings">Done</a></p>
</section>`,
  )
}
