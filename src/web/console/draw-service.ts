import { redactText } from '../../lib/redaction.ts'
import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { momentText } from '../operators-page/time-text.ts'
import { type CallbackLine, type KeyLine, MAX_NAME, type ProjectLine, SCOPES, type UserLine } from './console.ts'
import { actionForm, card, consolePage, type Outcome, outcome, textField, type Viewer } from './frame.ts'
import type { Key } from './i18n/translator.ts'

/** A page of a list, and the start of the next page. */
export interface Listed<Line> {
  readonly lines: readonly Line[]
  /** The id or gamertag of the last line; undefined if no line follows it. */
  readonly next: string | undefined
}

export interface ServiceView extends Outcome {
  readonly viewer: Viewer
  /** What the page shows of the service; undefined if no service runs in this process. */
  readonly shown: ServiceShown | undefined
}

export interface ServiceShown {
  readonly projects: Listed<{ readonly project: ProjectLine; readonly keys: readonly KeyLine[] }>
  /** The bot's own project, which cannot be changed here. */
  readonly ownProject: string | undefined
  readonly users: Listed<UserLine>
  readonly callbacks: readonly CallbackLine[]
}

/** Draws projects and their keys, users, and callbacks that did not arrive. */
export function drawService(view: ServiceView): Html {
  const { viewer, shown } = view
  const { t } = viewer
  const content =
    shown === undefined
      ? card(t('service.title'), html`<p>${t.html('refused.elsewhere')}</p>`)
      : html`${projects(view, shown)}${users(view, shown)}${callbacks(viewer, shown)}`
  return consolePage(viewer, '/console/service', html`${outcome(viewer, view)}${content}`)
}

function projects(view: ServiceView, { projects: { lines, next }, ownProject }: ServiceShown): Html {
  const { viewer, refused } = view
  const { t } = viewer
  const fields = textField({
    ...{ id: 'project-name', name: 'name', label: t('service.name'), most: MAX_NAME, required: true },
    value: typedIn(refused, 'project-create', 'name'),
  })
  const form = actionForm(viewer, { action: 'project-create', fields, button: t('service.createProject') })
  const list = lines.map(({ project, keys }) => oneProject(view, project, keys, project.projectId === ownProject))
  return card(
    t('service.projects'),
    html`<p class="small">${t('service.projectsWhat')}</p>${form}<ul class="list">${list}</ul>${more(viewer, 'projects', next)}`,
  )
}

function oneProject(
  view: ServiceView,
  { projectId, name, createdAt }: ProjectLine,
  keys: readonly KeyLine[],
  isOwn: boolean,
): Html {
  const { viewer } = view
  const { t } = viewer
  const inForce = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.length - inForce.length
  const hidden = { project: projectId }
  const change = html`<details><summary>${t('service.newKey')}</summary>${actionForm(viewer, { action: 'key-create', hidden, fields: keyFields(view, projectId), button: t('service.createKey') })}</details>`
  return html`<li><b>${name}</b>${isOwn && html` · ${t('service.own')}`}<div class="small"><code>${projectId}</code><br>${t('service.since', { when: minute(createdAt) })}</div>
<ul>${inForce.map((key) => oneKey(viewer, key, hidden, isOwn))}</ul>
${revoked > 0 && html`<p class="small">${t('service.revoked', { count: revoked })}</p>`}
${isOwn ? html`<p class="small">${t.html('service.ownWhy')}</p>` : viewer.access === 'operator' && change}</li>`
}

function oneKey(
  viewer: Viewer,
  { keyId, scopes, createdAt, expiresAt }: KeyLine,
  hidden: Record<string, string>,
  isOwn: boolean,
): Html {
  const { t } = viewer
  const until = expiresAt === null ? t('service.forGood') : t('service.until', { when: minute(expiresAt) })
  const revoke =
    !isOwn &&
    actionForm(viewer, { action: 'key-revoke', hidden: { ...hidden, key: keyId }, button: t('service.revoke') })
  return html`<li>${scopes.map((scope) => t(`service.scopes.${scope}` as Key)).join(', ')} · ${until}<div class="small"><code>${keyId}</code><br>${t('service.since', { when: minute(createdAt) })}</div>${revoke}</li>`
}

function keyFields({ viewer: { t }, refused }: ServiceView, project: string): Html {
  const isThis = refused?.form.get('project') === project
  const chosen = isThis ? refused.form.getAll('scope') : ['read', 'receive']
  const boxes = SCOPES.map(
    (scope) =>
      html`<label><input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) && html` checked`}> ${t(`service.scopes.${scope}`)}</label>`,
  )
  return html`<fieldset><legend>${t('service.may')}</legend>${boxes}</fieldset>
<p class="small">${t.html('service.sendWhy')}</p>
${textField({ id: `days-${project}`, name: 'days', label: t('service.days'), most: 4, numeric: true, value: isThis ? typedIn(refused, 'key-create', 'days') : '' })}`
}

function users({ viewer, refused }: ServiceView, { users: { lines, next } }: ServiceShown): Html {
  const { t } = viewer
  const fields = textField({
    ...{ id: 'gamertag', name: 'gamertag', label: t('service.gamertag'), most: 30, required: true },
    value: typedIn(refused, 'user-create', 'gamertag'),
  })
  const form = actionForm(viewer, { action: 'user-create', fields, button: t('service.createUser') })
  const list = lines.map(
    ({ gamertag, userId, createdAt }) =>
      html`<li><b>${gamertag}</b><div class="small"><code>${userId}</code><br>${t('service.since', { when: minute(createdAt) })}</div></li>`,
  )
  return card(
    t('service.users'),
    html`<p class="small">${t.html('service.usersWhat')}</p>${form}${list.length === 0 ? html`<p>${t('service.noUsers')}</p>` : html`<ul class="list">${list}</ul>`}${more(viewer, 'users', next)}`,
  )
}

function callbacks(viewer: Viewer, { callbacks: lines }: ServiceShown): Html {
  const { t } = viewer
  const list = lines.map(
    ({ messageId, resource, receiver, state, attempts, createdAt, lastError }) =>
      html`<li><b>${resource}</b> · ${t(state === 'waiting' ? 'service.waiting' : 'service.givenUp', { count: attempts })}
<div class="small">${redactText(receiver)}<br>${redactText(lastError)}<br>${t('service.since', { when: minute(createdAt) })} · <code>${messageId}</code></div>
${state === 'dead-lettered' && actionForm(viewer, { action: 'callback-redeliver', hidden: { callback: messageId }, button: t('service.redeliver') })}</li>`,
  )
  return card(
    t('service.callbacks'),
    lines.length === 0 ? html`<p class="good">${t('service.allArrived')}</p>` : html`<ul class="list">${list}</ul>`,
    'callbacks',
  )
}

function more({ t }: Viewer, list: 'projects' | 'users', next: string | undefined): HtmlPart {
  return (
    next !== undefined &&
    html`<p><a href="/console/service?${list}=${encodeURIComponent(next)}">${t('service.more')}</a></p>`
  )
}

function typedIn(refused: ServiceView['refused'], action: string, name: string): string {
  return refused?.action === action ? (refused.form.get(name) ?? '') : ''
}

function minute(iso: string): string {
  return momentText(new Date(iso))
}
