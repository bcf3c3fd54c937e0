import type { ChoiceOption } from '../messages/message.ts'
import { cut } from '../messages/panel.ts'
import type { FormField } from './command.ts'

const MAX_LABEL_LENGTH = 45
const MAX_HINT_LENGTH = 100

/** Labels a form's field like the command's option of the same meaning, so that both have the same name. */
export function labelled(
  name: string,
  option: string,
  description: string,
): Pick<FormField, 'name' | 'label' | 'hint'> {
  return {
    name,
    label: optionLabel(option),
    hint: cut(description, MAX_HINT_LENGTH),
  }
}

/** Returns an option's name as a label. */
export function optionLabel(option: string): string {
  return titled(option.replaceAll('-', ' '))
}

/** Returns a form's title: the text with a capital first letter. */
export function titled(text: string): string {
  const [first = '', ...rest] = text
  return cut(`${first.toLocaleUpperCase()}${rest.join('')}`, MAX_LABEL_LENGTH)
}

/** Returns a form's choices, which include and select an earlier value. */
export function radiosOf(
  values: readonly string[],
  chosen: string,
  label: (value: string) => string,
): readonly ChoiceOption[] {
  const all = values.includes(chosen) ? values : [...values.slice(0, 9), chosen]
  return all.map((value) => ({ value, label: label(value), chosen: value === chosen }))
}
