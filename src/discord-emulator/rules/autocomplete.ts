import { Form, type JsonObject } from './form.ts'

/**
 * Checks the choices in a response to an autocomplete: at most 25, with names and text values of 1 to 100 characters.
 */
export function checkAutocomplete(data: JsonObject): readonly JsonObject[] {
  const form = new Form()
  const choices = form.objects(data, 'choices', [], { max: 25, required: true }) ?? []
  for (const [choice, at] of choices) {
    form.text(choice, 'name', at, { min: 1, max: 100, required: true })
    if (typeof choice.value !== 'number') form.text(choice, 'value', at, { min: 1, max: 100, required: true })
  }
  form.refuse()
  return choices.map(([{ name, value }]) => ({ name, value }))
}
