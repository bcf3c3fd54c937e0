import { type Html, html } from '../../lib/web/html.ts'
import { card, consolePage, type Viewer } from './frame.ts'

/** Draws the page for an address under `/console` that leads to no page. */
export function drawNotFound(viewer: Viewer): Html {
  const { t } = viewer
  const way = html`<p><a href="/console">${t('refused.back')}</a></p>`
  return consolePage(viewer, '', card(t('noPage.title'), html`<p>${t('noPage.what')}</p>${way}`))
}
