import type { Component } from '../conversation/component.ts'
import { Select } from '../conversation/select.ts'
import { html, useRef, useState, type VNode } from '../html.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { api, type RequestRefusal } from '../state/api.ts'
import { follow, openForm } from '../state/interactions.ts'
import { RichText } from '../text/rich-text.ts'
import { Dialog } from './dialog.ts'

type Values = Record<string, string | readonly string[]>

/** Draws the form that the bot opened. Typed text stays if sending fails. */
export function Form(): VNode | null {
  const opener = openForm.value
  if (opener?.modal == null) return null
  return html`<${OpenForm} key=${opener.id} id=${opener.id} title=${opener.modal.title} parts=${opener.modal.components} />`
}

function OpenForm({ id, title, parts }: { id: string; title: string; parts: readonly Component[] }): VNode {
  const values = useRef<Values>({})
  const [problem, setProblem] = useState<{ field: string | null; text: string } | null>(null)
  const [sending, setSending] = useState(false)
  const close = () => {
    openForm.value = null
  }
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    setSending(true)
    setProblem(null)
    const refused = (refusal: RequestRefusal) => {
      setProblem({ field: refusal.field, text: refusal.message })
      return true
    }
    const sent = await follow(api.submit(id, values.current), title, null, refused)
    setSending(false)
    if (sent !== undefined) close()
  }
  const keep = (customId: string, value: string | readonly string[]) => {
    values.current[customId] = value
  }
  return html`<${Dialog} label=${title} class="form" onClose=${close}>
    <form onSubmit=${submit} novalidate>
      <header><span class="satchel-mark"><${Satchel} size=${22} /></span><h3>${title}</h3>
        <button type="button" class="round" aria-label="Close" onClick=${close}><${Icon} name="close" /></button>
      </header>
      <div class="form-fields">
        ${parts.map((part, at) => html`<${Part} key=${at} part=${part} problem=${problem} keep=${keep} />`)}
        ${problem !== null && problem.field === null && html`<p class="failure" role="alert">${problem.text}</p>`}
      </div>
      <footer>
        <button type="button" class="button secondary" onClick=${close}>Cancel</button>
        <button type="submit" class="button primary" disabled=${sending}>Submit</button>
      </footer>
    </form>
  <//>`
}

interface PartProps {
  part: Component
  problem: { field: string | null; text: string } | null
  keep: (customId: string, value: string | readonly string[]) => void
}

/** Draws a part of a form: a row with a text field (Discord's older way), or a label around a field or menu. */
function Part({ part, problem, keep }: PartProps): VNode | null {
  if (part.type === 10) return html`<${RichText} text=${part.content ?? ''} />`
  const field = part.type === 18 ? part.component : part.components?.[0]
  if (field === undefined) return null
  const customId = field.custom_id ?? ''
  const label = part.label ?? field.label ?? ''
  const wrong = problem?.field === customId ? problem.text : null
  const inputId = `field-${customId}`
  return html`<div class=${`field ${wrong === null ? '' : 'wrong'}`}>
    <label for=${inputId}>${label}${field.required !== false && html`<span class="required" aria-hidden="true"> *</span>`}</label>
    ${part.description && html`<small id=${`${inputId}-about`}>${part.description}</small>`}
    ${
      field.type === 4
        ? html`<${TextField} id=${inputId} field=${field} wrong=${wrong} keep=${keep} />`
        : field.type === 21
          ? html`<${Radios} id=${inputId} field=${field} label=${label} keep=${keep} />`
          : field.type === 19
            ? html`<input type="file" id=${inputId} onChange=${(event: Event) => void readFile(event, customId, keep)} />`
            : html`<${Select} component=${field} label=${label} onChoose=${(chosen: readonly string[]) => keep(customId, chosen)} />`
    }
    ${wrong !== null && html`<p class="failure" id=${`${inputId}-wrong`} role="alert">${wrong}</p>`}
  </div>`
}

/** Reads a file as a `data:` address, because the form is sent as JSON. */
async function readFile(event: Event, customId: string, keep: PartProps['keep']): Promise<void> {
  const [file] = (event.target as HTMLInputElement).files ?? []
  if (file === undefined) return keep(customId, [])
  const reader = new FileReader()
  reader.onload = () => keep(customId, [String(reader.result)])
  reader.readAsDataURL(file)
}

function Radios({
  id,
  field,
  label,
  keep,
}: Pick<PartProps, 'keep'> & { id: string; field: Component; label: string }): VNode {
  return html`<div class="radios" id=${id} role="radiogroup" aria-label=${label}>
    ${field.options?.map(
      (option) => html`<label key=${option.value}>
        <input
          type="radio"
          name=${id}
          value=${option.value}
          defaultChecked=${option.default === true}
          onChange=${() => keep(field.custom_id ?? '', [option.value])}
        />
        <span>${option.label}</span>
      </label>`,
    )}
  </div>`
}

interface TextFieldProps extends Pick<PartProps, 'keep'> {
  id: string
  field: Component
  wrong: string | null
}

function TextField({ id, field, wrong, keep }: TextFieldProps): VNode {
  const shared = {
    id,
    placeholder: field.placeholder ?? '',
    maxlength: field.max_length ?? 4_000,
    required: field.required !== false,
    'aria-invalid': wrong !== null,
    'aria-describedby': wrong === null ? null : `${id}-wrong`,
    onInput: (event: Event) => keep(field.custom_id ?? '', (event.target as HTMLInputElement).value),
  }
  return field.style === 2
    ? html`<textarea rows="4" ...${shared}>${field.value ?? ''}</textarea>`
    : html`<input type="text" autocomplete="off" ...${shared} defaultValue=${field.value ?? ''} />`
}
