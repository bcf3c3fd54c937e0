import { formControls, kind, selects } from './component-kinds.ts'
import { checkFormControl, checkSelect, checkTextInput } from './controls.ts'
import { Form, type JsonObject, type Path } from './form.ts'

const maxComponents = 5

/** A checked form (modal) of the bot. */
export interface CheckedModal {
  readonly customId: string
  readonly title: string
  readonly components: readonly JsonObject[]
}

/**
 * Checks a form. It must have a title of at most 45 characters and 1 to 5 components, each of which is a row with one
 * text input, a label with a control, or a text. Throws 50035 if the form is invalid.
 */
export function checkModal(data: JsonObject): CheckedModal {
  const form = new Form()
  const at: Path = []
  const title = form.text(data, 'title', at, { min: 1, max: 45, required: true }) ?? ''
  const customId = form.text(data, 'custom_id', at, { min: 1, max: 100, required: true }) ?? ''
  const components = form.objects(data, 'components', at, { min: 1, max: maxComponents, required: true }) ?? []
  const customIds = new Set<string>()
  for (const [component, path] of components) {
    const control = checkModalComponent(form, component, path)
    const id = control?.custom_id
    if (typeof id !== 'string') continue
    if (customIds.has(id))
      form.fault(path, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
    customIds.add(id)
  }
  form.refuse()
  return { customId, title, components: components.map(([component]) => component) }
}

/** Checks a component of a form. Returns the control in it that a person fills in; undefined if there is none. */
function checkModalComponent(form: Form, component: JsonObject, at: Path): JsonObject | undefined {
  switch (component.type) {
    case kind.row: {
      const inputs = form.objects(component, 'components', at, { min: 1, max: 1, required: true }) ?? []
      const [first] = inputs
      if (first === undefined) return undefined
      const [input, path] = first
      if (input.type === kind.textInput) checkTextInput(form, input, path, true)
      else wrongType(form, path, [kind.textInput])
      return input
    }
    case kind.label: {
      form.text(component, 'label', at, { min: 1, max: 45, required: true })
      form.text(component, 'description', at, { max: 100 })
      const control = form.object(component, 'component', at, { required: true })
      if (control === undefined) return undefined
      const path = [...at, 'component']
      if (control.type === kind.textInput) checkTextInput(form, control, path, false)
      else if (selects.includes(control.type as number)) checkSelect(form, control, path)
      else if (formControls.includes(control.type as number)) checkFormControl(form, control, path)
      else wrongType(form, path, [kind.textInput, ...selects, ...formControls])
      return control
    }
    case kind.text:
      form.text(component, 'content', at, { max: 4000, required: true })
      return undefined
    default:
      wrongType(form, at, [kind.row, kind.label, kind.text])
      return undefined
  }
}

function wrongType(form: Form, at: Path, allowed: readonly number[]): void {
  form.fault([...at, 'type'], 'UNION_TYPE_CHOICES', `Value of field "type" must be one of (${allowed.join(', ')},).`)
}
