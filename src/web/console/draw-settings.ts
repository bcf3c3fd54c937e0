import { type Html, html } from '../../lib/web/html.ts'
import type { Setting } from './console.ts'
import { card, consolePage, type Viewer } from './frame.ts'

/** What is set, and where. */
export function drawSettings(viewer: Viewer, settings: readonly Setting[]): Html {
  const { t } = viewer
  const lines = settings.map(
    ({
      name,
      value,
      from,
    }) => html`<li><code>${name}</code><br>${value ?? html`<span class="small">${t('settings.secret')}</span>`}
${from === 'environment' && html`<span class="small">· ${t('settings.locked')}</span>`}</li>`,
  )
  const list = lines.length === 0 ? html`<p>${t('settings.none')}</p>` : html`<ul class="list">${lines}</ul>`
  return consolePage(
    viewer,
    '/console/settings',
    card(t('settings.title'), html`<p>${t.html('settings.advice')}</p>${list}`),
  )
}
