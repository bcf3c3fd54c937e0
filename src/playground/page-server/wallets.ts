import type { FastifyInstance } from 'fastify'
import { formatSats, msats } from '../../lib/money/amount.ts'
import { html } from '../../lib/web/html.ts'
import { BASE_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { PageWorld } from './page-world.ts'

/** `/wallets`: wallets of people's own, to be connected with `/wallet`. Their sats are worth nothing, so their keys are shown. */
export function serveWallets(app: FastifyInstance, world: PageWorld): void {
  app.get('/wallets', async (_, reply) => {
    const wallets = world.memberWallets.list().map(
      ({ name, balance, connection }) => html`<h2>${name}</h2>
<p>${formatSats(msats(balance), 'en')} test sats</p>
<p><code style="overflow-wrap:anywhere">${connection}</code></p>`,
    )
    const body = html`<main style="max-width:42rem;margin:2rem auto;padding:0 1rem">
<h1>Wallets of their own</h1>
<p>Use <code>/wallet</code> as one of them, press <b>Connect my wallet</b>, and paste this text there. When two have done so, <code>/tip</code> goes
from wallet to wallet, and the books stay as they are.</p>
${wallets}</main>`
    const page = pageFrame({ title: 'Wallets of their own', head: html`<style>${BASE_STYLE}</style>` }, body)
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page.text)
  })
}
