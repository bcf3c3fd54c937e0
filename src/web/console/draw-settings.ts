import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { ago, momentText } from '../operators-page/time-text.ts'
import {
  actionForm,
  card,
  choiceField,
  consolePage,
  type Outcome,
  outcome,
  secretField,
  textField,
  type Viewer,
} from './frame.ts'
import type { Named } from './names.ts'
import { SECRET } from './secret-fields.ts'
import type { SettingField, SettingsGroup, SettingsProposal, SettingsShown, ShownSetting } from './settings.ts'

const MAX_VALUE = 1_000

export interface SettingsView extends Outcome {
  readonly viewer: Viewer
  /**
   * The settings; undefined if there are none, as in a playground; or a sentence that explains why they cannot be read.
   */
  readonly shown: SettingsShown | string | undefined
  /** The id under which the books know the viewer. */
  readonly operator: string
  readonly named: Named
  readonly isAlone: boolean
  readonly now: number
}

/** Draws the answers to set-up's questions, which operators can change for the next start, and all other settings. */
export function drawSettings(view: SettingsView): Html {
  const { viewer, shown } = view
  return consolePage(viewer, '/console/settings', html`${outcome(viewer, view)}${contentOf(view, shown)}`)
}

function contentOf(view: SettingsView, shown: SettingsView['shown']): HtmlPart {
  const { t } = view.viewer
  if (shown === undefined) return card(t('settings.title'), html`<p>${t('settings.none')}</p>`)
  if (typeof shown === 'string')
    return card(t('settings.title'), html`<p class="bad" role="alert">${shown}</p>${typedIn(view)}`)
  return html`${about(view, shown)}${shown.proposal && waiting(view, shown.proposal)}${shown.groups.map((group) => oneGroup(view, shown, group))}${fixed(view, shown)}${others(view, shown)}`
}

/** Draws the values that the operator typed, which are stored nowhere else. */
function typedIn({ viewer: { t }, refused }: SettingsView): HtmlPart {
  const typed = [...(refused?.form ?? [])].filter(([name, value]) => /^[A-Z_]+$/.test(name) && value !== '')
  if (typed.length === 0) return undefined
  return html`<p class="small">${t('fresh.typed')}</p><ul>${typed.map(([name, value]) => html`<li><code>${name}</code> ${value}</li>`)}</ul>`
}

function about({ viewer: { t } }: SettingsView, { file, waiting: names }: SettingsShown): Html {
  const restart = html`<p class="lead" id="waiting">${t('settings.waiting', { count: names.length })}</p>
<p>${names.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)}</p><p>${t.html('settings.restart')}</p>`
  return card(t('settings.title'), html`<p>${t.html('settings.advice', { file })}</p>${names.length > 0 && restart}`)
}

/** Draws a proposal that waits for a decision, with what the viewer can do about it. */
function waiting(view: SettingsView, { id, by, at, changes, from, until }: SettingsProposal): Html {
  const { viewer, operator, now, named } = view
  const { t } = viewer
  const hidden = { proposal: id }
  const isEarly = from !== undefined && now < from.getTime()
  const agree =
    isEarly || (from === undefined && by === operator)
      ? html`<p class="small">${isEarly ? t('settings.early', { when: momentText(from) }) : t('proposals.yours')}</p>`
      : actionForm(viewer, { action: 'settings-agree', hidden, button: t('settings.agree'), primary: true })
  return card(
    t('settings.proposed'),
    html`<p class="small">${t('settings.proposedBy', { by: named(by), time: ago(at.getTime(), now), until: momentText(until) })}</p>
<ul>${changes.map((change) => html`<li>${change}</li>`)}</ul>
${agree}${actionForm(viewer, { action: 'settings-cancel', hidden, button: t('proposals.cancel') })}`,
    'proposed',
  )
}

function oneGroup(view: SettingsView, shown: SettingsShown, { name, fields }: SettingsGroup): HtmlPart {
  if (fields.length === 0) return undefined
  const { viewer, isAlone } = view
  const { t } = viewer
  const free = viewer.access === 'operator' ? fields.filter(({ lockedBy }) => lockedBy === undefined) : []
  const alone = free.filter(({ needsTwo }) => !needsTwo)
  const together = shown.proposal === undefined ? free.filter(({ needsTwo }) => needsTwo) : []
  const lines = fields.filter((field) => !alone.includes(field) && !together.includes(field))
  const form = (action: string, of: readonly SettingField[], button: string) =>
    of.length > 0 &&
    actionForm(viewer, {
      ...{ action, button, hidden: { version: shown.version } },
      fields: of.map((field) => oneField(view, field)),
    })
  const why = t(isAlone ? 'settings.delay' : 'settings.two')
  return card(
    t(`settings.groups.${name}`),
    html`${form('settings-change', alone, t('settings.change'))}
${together.length > 0 && html`<p class="small apart">${why}</p>`}
${form('settings-propose', together, t('settings.propose'))}
${lines.length > 0 && html`<ul class="list">${lines.map((field) => oneLine(view, field, shown.proposal !== undefined))}</ul>`}`,
    name,
  )
}

function oneField({ viewer: { t }, refused }: SettingsView, field: SettingField): HtmlPart {
  const { name, what, value, isSecret, isSet, choices } = field
  const label = html`${what} <code>${name}</code>`
  if (isSecret)
    return secretField({
      id: name,
      name: SECRET + name,
      label,
      most: MAX_VALUE,
      help: t(isSet ? 'settings.keep' : 'settings.unset'),
    })
  // A refused form keeps the typed values. A choice that the person did not make has no name in the form.
  const typed = refused?.form.get(name) ?? value
  if (choices.length === 0) return textField({ id: name, name, label, value: typed, most: MAX_VALUE })
  const pairs = choices.map((choice) => [choice.value, choice.label] as const)
  return choiceField({ name, legend: label, chosen: typed, mayBeNone: true }, pairs)
}

function oneLine({ viewer: { t }, isAlone }: SettingsView, field: SettingField, isBusy: boolean): Html {
  const { name, what, value, isSecret, isSet, choices, lockedBy, needsTwo } = field
  const chosen = choices.find((choice) => choice.value === value)?.label ?? value
  const shown = isSecret && isSet ? t('settings.secret') : chosen || t('settings.unset')
  const why =
    lockedBy !== undefined
      ? t.html('settings.lockedBy', { variable: lockedBy })
      : needsTwo && t(isBusy ? 'settings.busy' : isAlone ? 'settings.delay' : 'settings.two')
  return html`<li>${what} <code>${name}</code><br>${shown}${why !== false && html`<p class="small">${why}</p>`}</li>`
}

function fixed({ viewer: { t } }: SettingsView, { fixed: lines }: SettingsShown): Html {
  const list = lines.map(
    (setting) =>
      html`<li>${named(setting)}<br>${shownValue(t, setting)}<p class="small">${t.html(`settings.fixed.${setting.why}`)}</p></li>`,
  )
  return card(t('settings.fixedTitle'), html`<ul class="list">${list}</ul>`, 'fixed')
}

function others({ viewer: { t } }: SettingsView, { others: lines }: SettingsShown): HtmlPart {
  if (lines.length === 0) return undefined
  const list = lines.map((setting) => {
    const lock =
      setting.from === 'environment' &&
      html`<p class="small">${t.html('settings.lockedBy', { variable: setting.name })}</p>`
    return html`<li>${named(setting)}<br>${shownValue(t, setting)}${lock}</li>`
  })
  return card(
    t('settings.others'),
    html`<p class="small">${t.html('settings.othersWhat')}</p><ul class="list">${list}</ul>`,
    'others',
  )
}

function named({ name }: ShownSetting): Html {
  return html`<code>${name}</code>`
}

function shownValue(t: Viewer['t'], { value, from }: ShownSetting): HtmlPart {
  if (value !== undefined) return value
  return html`<span class="small">${t(from === undefined ? 'settings.unset' : 'settings.secret')}</span>`
}
