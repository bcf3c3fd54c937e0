import { formControls, kind, selects } from '../rules/component-kinds.ts'
import { type JsonObject, lengthOf } from '../rules/form.ts'
import { NotPossible } from './not-possible.ts'
import type { Resolved } from './resolved.ts'
import { checkSelection } from './selection.ts'

/**
 * A person's answers in a form, by the custom ids of its fields: texts, or choices in menus. An omitted field keeps the
 * text or the choices that the bot has preset.
 */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks the answers in a form, and returns its components as the bot gets them. Throws `NotPossible` if an answer is
 * not allowed.
 */
export function fillForm(modal: JsonObject, values: FormValues, resolved: Resolved): JsonObject[] {
  const components = modal.components as JsonObject[]
  return components.map((component, index) => {
    const id = index + 1
    if (component.type === kind.row) {
      const fields = component.components as JsonObject[]
      return { type: kind.row, id, components: fields.map((field) => fill(field, values, resolved)) }
    }
    if (component.type === kind.label)
      return { type: kind.label, id, component: fill(component.component as JsonObject, values, resolved) }
    return { type: component.type, id }
  })
}

function fill(field: JsonObject, values: FormValues, resolved: Resolved): JsonObject {
  const customId = String(field.custom_id)
  const value = values[customId]
  const own = { type: field.type, id: 100, custom_id: customId }
  if (selects.includes(field.type as number)) {
    const chosen = value === undefined ? chosenBefore(field) : [value].flat()
    return { ...own, values: checkSelection(field, chosen, resolved, customId) }
  }
  if (field.type === kind.fileUpload) return { ...own, values: upload(field, value, { resolved, customId }) }
  if (formControls.includes(field.type as number)) return { ...own, ...choose(field, value, customId) }
  const text = value === undefined ? String(field.value ?? '') : String(value)
  const length = lengthOf(text)
  if (length === 0 && field.required !== false) throw new NotPossible('This field is required.', customId)
  const min = Number(field.min_length ?? 0)
  const max = Number(field.max_length ?? 4000)
  if (length > 0 && length < min) throw new NotPossible(`Must be ${min} or more in length.`, customId)
  if (length > max) throw new NotPossible(`Must be ${max} or fewer in length.`, customId)
  return { ...own, value: text }
}

const maxUploadBytes = 10 * 1024 * 1024

/**
 * Uploads files in the form in which a browser reads them: `data:image/png;base64,…`. Each file is stored for a while,
 * as on Discord. Returns the ids of the files.
 */
function upload(
  field: JsonObject,
  value: string | readonly string[] | undefined,
  { resolved, customId }: { readonly resolved: Resolved; readonly customId: string },
): string[] {
  const files = value === undefined ? [] : [value].flat().filter((each) => each !== '')
  const min = field.required === false ? 0 : Number(field.min_values ?? 1)
  const max = Number(field.max_values ?? 1)
  if (files.length < min) throw new NotPossible(`Upload at least ${min}.`, customId)
  if (files.length > max) throw new NotPossible(`Upload at most ${max}.`, customId)
  return files.map((text) => {
    const [, contentType = '', base64 = ''] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(text) ?? []
    if (contentType === '') throw new NotPossible('This is not a file.', customId)
    const bytes = Buffer.from(base64, 'base64')
    if (bytes.length > maxUploadBytes) throw new NotPossible('Your file is too large.', customId)
    return resolved.attachment(contentType, bytes)
  })
}

/** Returns the choice in a group of boxes, or the state of a single box, whose value is `true` or `false`. */
function choose(field: JsonObject, value: string | readonly string[] | undefined, customId: string): JsonObject {
  if (field.type === kind.checkbox) return { value: value === undefined ? field.default === true : value === 'true' }
  const chosen = value === undefined ? chosenBefore(field) : [value].flat().filter((each) => each !== '')
  const options = (field.options as JsonObject[] | undefined)?.map((option) => option.value)
  const unknown = options && chosen.find((each) => !options.includes(each))
  if (unknown !== undefined) throw new NotPossible(`"${unknown}" cannot be selected here.`, customId)
  const isOptional = field.required === false
  const min = isOptional ? 0 : Number(field.min_values ?? 1)
  const max = field.type === kind.radioGroup ? 1 : Number(field.max_values ?? options?.length ?? 1)
  if (chosen.length < min) throw new NotPossible(`Select at least ${min}.`, customId)
  if (chosen.length > max) throw new NotPossible(`Select at most ${max}.`, customId)
  return field.type === kind.radioGroup ? { value: chosen[0] ?? null } : { values: chosen }
}

/** Returns the choices that the bot has preset in a field. */
function chosenBefore({ options, default_values: ids }: JsonObject): string[] {
  const known = (ids as JsonObject[] | undefined)?.map(({ id }) => String(id))
  const marked = (options as JsonObject[] | undefined)?.filter((option) => option.default === true)
  return known ?? marked?.map(({ value }) => String(value)) ?? []
}
