import type { WireLine } from '../../world.ts'
import { html, useState, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { changes, wire } from '../state/books.ts'
import { clockTime, fullTime } from '../text/format.ts'

/**
 * Draws the bot's calls to the service, their answers, and callbacks: newest first, each with its body. Look-ups appear
 * on request.
 */
export function WireView(): VNode {
  const [chosen, setChosen] = useState<number | null>(null)
  const [all, setAll] = useState(false)
  const lines = [...(all ? wire : changes).value].reverse()
  const shown = lines.find(({ id }) => id === chosen) ?? lines[0]
  if (wire.value.length === 0) {
    return html`<div class="drawer-empty"><${Icon} name="wire" size=${22} /><p>Nothing has crossed the wire yet. Use a command: its calls show up here.</p></div>`
  }
  const hidden = wire.value.length - changes.value.length
  return html`<div class="wire">
    <label class="wire-filter">
      <input type="checkbox" checked=${all} onChange=${() => setAll(!all)} />
      Show look-ups too${hidden > 0 ? ` (${hidden})` : ''}
    </label>
    <ol class="wire-lines" aria-label="Exchanges between bot and service">
      ${lines.map(
        (
          line,
        ) => html`<li key=${line.id} class=${`wire-line ${line.kind.replace(' ', '-')} ${isBad(line) ? 'bad' : ''}`}>
          <button type="button" aria-pressed=${line.id === shown?.id} onClick=${() => setChosen(line.id)}>
            <time title=${fullTime(line.at)}>${clockTime(line.at)}</time>
            <span class="wire-way">${line.from === 'bot' ? 'bot → service' : 'service → bot'}</span>
            <span class="wire-kind">${line.kind}</span>
            <b>${line.title}</b>
            <span class="wire-status">${line.status ?? ''}</span>
            <span class="wire-took">${line.tookMs === null ? '' : `${Math.round(line.tookMs)} ms`}</span>
          </button>
        </li>`,
      )}
    </ol>
    ${shown !== undefined && html`<${Body} line=${shown} />`}
  </div>`
}

function Body({ line }: { line: WireLine }): VNode {
  const text = line.body === null || line.body === undefined ? '(no body)' : JSON.stringify(line.body, null, 2)
  return html`<div class="wire-body" role="region" aria-label="Body of the chosen line">
    <h4>${line.title}</h4>
    <p class="eyebrow">${line.kind} · exchange ${line.exchange} · secrets are hidden</p>
    <pre tabindex="0"><code>${text}</code></pre>
  </div>`
}

function isBad({ kind, status }: WireLine): boolean {
  return kind === 'no answer' || (status !== null && status >= 400)
}
