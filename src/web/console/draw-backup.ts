import { type Html, html, withCode } from '../../lib/web/html.ts'
import { actionForm, card, consolePage, type Viewer } from './frame.ts'

/** Draws the page that offers a backup. `problem` says why no backup was made. */
export function drawBackup(viewer: Viewer, isMade: boolean, problem?: string): Html {
  const { t } = viewer
  const form = html`<p>${t('backup.what')}</p><p class="bad">${t('backup.warning')}</p>
${actionForm(viewer, { action: 'backup', button: t('backup.button'), primary: true })}`
  return consolePage(
    viewer,
    '/console/backup',
    html`${problem !== undefined && html`<p class="card bad" role="alert">${t('refused.title')}. ${withCode(problem)}</p>`}
${card(t('backup.title'), isMade ? form : html`<p>${t.html('backup.elsewhere')}</p>`)}
${card(t('backup.restoreTitle'), html`<p>${t.html('backup.restore')}</p><p>${t('backup.once')}</p>`)}`,
  )
}
