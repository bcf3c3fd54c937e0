import { type Html, html } from '../../lib/web/html.ts'
import { withNames } from '../operators-page/figures.ts'
import { card, consolePage, type Viewer } from './frame.ts'
import type { Key } from './i18n/translator.ts'
import type { Named } from './names.ts'

/** The maximum number of lines shown, because a phone could not draw more. */
const MAX_SHOWN = 300

/** The levels from the least severe to the most severe. The choice of a level also shows the levels after it. */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]
/** The place in LEVELS of each of Pino's levels. */
const SEVERITY: Readonly<Record<string, number>> = { trace: 0, debug: 0, info: 1, warn: 2, error: 3, fatal: 3 }

export interface LogView {
  readonly viewer: Viewer
  /** Lines of JSON, the newest first; undefined if this process keeps no log. */
  readonly lines: readonly string[] | undefined
  readonly named: Named
  /** The query of the page's address. */
  readonly query: unknown
}

/** Shows the process's log of the last hour. */
export function drawLog({ viewer, lines, named, query }: LogView): Html {
  const { t } = viewer
  if (lines === undefined)
    return consolePage(viewer, '/console/log', card(t('log.title'), html`<p>${t('log.elsewhere')}</p>`))
  const { level, text } = filterOf(query)
  const found = lines
    .filter((line) => line.toLowerCase().includes(text.toLowerCase()))
    .map(read)
    .filter((line) => line.severity >= LEVELS.indexOf(level))
  const shown = found.slice(0, MAX_SHOWN)
  const options = LEVELS.map(
    (each) => html`<option value="${each}"${each === level && html` selected`}>${t(`log.levels.${each}`)}</option>`,
  )
  const form = html`<form method="get" action="/console/log" class="filter"><label for="level">${t('log.level')}</label><select id="level" name="level">${options}</select>
<label for="text">${t('log.text')}</label><input id="text" name="text" value="${text}" maxlength="100" autocomplete="off">
<button class="primary">${t('log.show')}</button></form>`
  const nameOf = (id: string) => (named(id) === id ? undefined : named(id))
  const list = html`<p class="small">${t('log.found', { count: found.length })} ${found.length > shown.length && t('log.newest', { count: shown.length })}</p>
<ol class="log">${shown.map((line) => drawLine(viewer, { ...line, message: withNames(line.message, nameOf) }))}</ol>`
  return consolePage(viewer, '/console/log', card(t('log.title'), html`<p>${t.html('log.what')}</p>${form}${list}`))
}

function filterOf(query: unknown): { readonly level: Level; readonly text: string } {
  const { level, text } = query as { readonly level?: unknown; readonly text?: unknown }
  const chosen = LEVELS.find((each) => each === level) ?? 'info'
  return { level: chosen, text: typeof text === 'string' ? text.slice(0, 100) : '' }
}

interface Line {
  readonly time: string
  readonly level: string
  readonly severity: number
  readonly part: string
  readonly message: string
  /** The remaining fields, as JSON; empty if there are none. */
  readonly more: string
}

function read(line: string): Line {
  try {
    const { level, time, msg, name: _, part, ...rest } = JSON.parse(line) as Record<string, unknown>
    const more = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, undefined, 1)
    const named = `${level}`
    return {
      time: `${time}`.slice(11, 19),
      level: named,
      severity: SEVERITY[named] ?? 1,
      part: typeof part === 'string' ? part : '',
      message: typeof msg === 'string' ? msg : '',
      more,
    }
  } catch {
    return { time: '', level: 'info', severity: 1, part: '', message: line, more: '' }
  }
}

function drawLine({ t }: Viewer, { time, level, severity, part, message, more }: Line): Html {
  const key: Key | undefined = severity >= 2 ? `log.marks.${severity === 2 ? 'warn' : 'error'}` : undefined
  const mark = key !== undefined && html`<b class="bad">${t(key)}</b> `
  return html`<li data-level="${level}"><span class="small">${time} ${part}</span> ${mark}${message}${
    more !== '' && html`<details><summary>${t('log.more')}</summary><pre tabindex="0">${more}</pre></details>`
  }</li>`
}
