import type { OptionView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import type { Entry } from './option-entry.ts'

interface OptionFieldProps {
  option: OptionView
  entry: Entry
  problem: string | undefined
  /** The id of the suggestion that Enter would take; null if there is none. */
  activeId: string | null
  onEntry: (entry: Entry) => void
  onFocus: () => void
}

const placeholders: Readonly<Record<OptionView['type'], string>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'true or false',
  user: '@member',
  role: '@role',
  mentionable: '@member or @role',
  channel: '#channel',
  attachment: 'file',
}

/** Draws one option as a chip: its name, and a field that grows with its content. */
export function OptionField({ option, entry, problem, activeId, onEntry, onFocus }: OptionFieldProps): VNode {
  const placeholder = placeholders[option.type]
  if (option.type === 'attachment') return FileField({ option, problem, onEntry, onFocus })
  const isNumber = option.type === 'integer' || option.type === 'number'
  return html`<label class=${`chip ${problem === undefined ? '' : 'wrong'} ${entry.chosen === null ? '' : 'chosen'}`}>
    <span class="chip-name">${option.name}</span>
    <input
      data-field=${option.name}
      role="combobox"
      aria-expanded=${activeId !== null}
      aria-controls="option-list"
      aria-autocomplete="list"
      aria-activedescendant=${activeId}
      aria-required=${option.required}
      aria-invalid=${problem !== undefined}
      aria-label=${`${option.name}: ${option.description}`}
      inputmode=${isNumber ? 'decimal' : 'text'}
      autocomplete="off"
      spellcheck=${false}
      placeholder=${placeholder}
      style=${{ '--length': `${Math.max(entry.text.length, placeholder.length) + 1}ch` }}
      value=${entry.text}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => onEntry({ text: currentTarget.value, chosen: null })}
      onFocus=${onFocus}
    />
  </label>`
}

/** Draws the field for a file, which is sent as a `data:` address that contains the file's name. */
function FileField({ option, problem, onEntry, onFocus }: Omit<OptionFieldProps, 'entry' | 'activeId'>): VNode {
  const read = (file: File | undefined) => {
    if (file === undefined) return onEntry({ text: '', chosen: null })
    const reader = new FileReader()
    reader.onload = () => {
      const [, data = ''] = String(reader.result).split(',')
      const chosen = `data:${file.type};name=${encodeURIComponent(file.name)};base64,${data}`
      onEntry({ text: file.name, chosen })
    }
    reader.readAsDataURL(file)
  }
  return html`<label class=${`chip ${problem === undefined ? '' : 'wrong'}`}>
    <span class="chip-name">${option.name}</span>
    <input
      data-field=${option.name}
      type="file"
      aria-required=${option.required}
      aria-invalid=${problem !== undefined}
      aria-label=${`${option.name}: ${option.description}`}
      onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => read(currentTarget.files?.[0])}
      onFocus=${onFocus}
    />
  </label>`
}
