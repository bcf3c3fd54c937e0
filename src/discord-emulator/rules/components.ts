import { kind, selects } from './component-kinds.ts'
import { checkButton, checkSelect } from './controls.ts'
import { type Form, type JsonObject, lengthOf, type Path } from './form.ts'

const maxRows = 5
const maxNested = 40
const maxTextInV2 = 4000
const topLevelInV2: readonly number[] = [
  kind.row,
  kind.section,
  kind.text,
  kind.gallery,
  kind.file,
  kind.separator,
  kind.container,
]
const insideContainer = topLevelInV2.filter((type) => type !== kind.container)

/** What is collected during the walk through a message's components. */
interface Walk {
  readonly form: Form
  readonly v2: boolean
  readonly customIds: Set<string>
  readonly ids: Set<number>
  count: number
  text: number
}

/**
 * Checks a message's components and returns them as Discord would store them: each with an `id`. Without the v2 flag,
 * there can be up to 5 rows of up to 5 buttons or 1 select menu. With the flag
 * (https://docs.discord.com/developers/components), there can be up to 40 components, including nested ones, and 4000
 * characters of text.
 */
export function checkComponents(form: Form, body: JsonObject, v2: boolean): JsonObject[] | undefined {
  const components = form.objects(body, 'components', [], { max: v2 ? maxNested : maxRows })
  if (components === undefined) return undefined
  const walk: Walk = { form, v2, customIds: new Set(), ids: new Set(), count: 0, text: 0 }
  const checked = components.map(([component, at]) => structuredClone(checkTopLevel(walk, component, at)))
  if (walk.count > maxNested)
    form.fault(['components'], 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${maxNested} in length.`)
  if (walk.text > maxTextInV2)
    form.fault(
      ['components'],
      'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      `The total displayable text size of the components must be ${maxTextInV2} or fewer.`,
    )
  if (!form.faulty) numberComponents(checked, walk.ids)
  return checked
}

function checkTopLevel(walk: Walk, component: JsonObject, at: Path): JsonObject {
  const allowed = walk.v2 ? topLevelInV2 : [kind.row]
  if (!allowed.includes(component.type as number)) {
    wrongType(walk.form, at, allowed)
    return component
  }
  return check(walk, component, at)
}

function wrongType(form: Form, at: Path, allowed: readonly number[]): void {
  form.fault([...at, 'type'], 'UNION_TYPE_CHOICES', `Value of field "type" must be one of (${allowed.join(', ')},).`)
}

/** Checks a component and its children, and returns the component. */
function check(walk: Walk, component: JsonObject, at: Path): JsonObject {
  const { form } = walk
  walk.count += 1
  const id = form.integer(component, 'id', at, { min: 0, max: 2 ** 31 - 1 })
  if (id !== undefined && id !== 0) {
    if (walk.ids.has(id)) form.fault([...at, 'id'], 'COMPONENT_ID_DUPLICATED', 'Component id cannot be duplicated')
    walk.ids.add(id)
  }
  switch (component.type) {
    case kind.row:
      checkRow(walk, component, at)
      break
    case kind.section:
      checkSection(walk, component, at)
      break
    case kind.text: {
      const text = form.text(component, 'content', at, { max: maxTextInV2, required: true })
      walk.text += text === undefined ? 0 : lengthOf(text)
      break
    }
    case kind.thumbnail:
      checkMedia(form, component, 'media', at)
      form.text(component, 'description', at, { max: 1024 })
      break
    case kind.gallery:
      for (const [item, path] of form.objects(component, 'items', at, { min: 1, max: 10, required: true }) ?? []) {
        checkMedia(form, item, 'media', path)
        form.text(item, 'description', path, { max: 1024 })
      }
      break
    case kind.file:
      checkMedia(form, component, 'file', at)
      break
    case kind.separator:
      form.choice(component, 'spacing', at, [1, 2])
      form.boolean(component, 'divider', at)
      break
    case kind.container:
      form.integer(component, 'accent_color', at, { min: 0, max: 0xff_ff_ff })
      for (const [child, path] of form.objects(component, 'components', at, { min: 1, max: 40, required: true }) ??
        []) {
        if (insideContainer.includes(child.type as number)) check(walk, child, path)
        else wrongType(form, path, insideContainer)
      }
      break
  }
  return component
}

function checkRow(walk: Walk, row: JsonObject, at: Path): void {
  const { form } = walk
  const children = form.objects(row, 'components', at, { min: 1, max: 5, required: true }) ?? []
  const hasSelect = children.some(([child]) => selects.includes(child.type as number))
  if (hasSelect && children.length > 1)
    form.fault(
      [...at, 'components'],
      'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
      'The specified component exceeds the maximum width',
    )
  for (const [child, path] of children) checkControl(walk, child, path)
}

function checkControl(walk: Walk, control: JsonObject, at: Path): void {
  const { form } = walk
  if (control.type === kind.button) checkButton(form, control, at)
  else if (selects.includes(control.type as number)) checkSelect(form, control, at)
  else {
    wrongType(form, at, [kind.button, ...selects])
    return
  }
  walk.count += 1
  noteCustomId(walk, control, at)
  const id = control.id
  if (typeof id === 'number' && id !== 0) walk.ids.add(id)
}

function noteCustomId(walk: Walk, control: JsonObject, at: Path): void {
  const customId = control.custom_id
  if (typeof customId !== 'string') return
  if (walk.customIds.has(customId))
    walk.form.fault([...at, 'custom_id'], 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
  walk.customIds.add(customId)
}

function checkSection(walk: Walk, section: JsonObject, at: Path): void {
  const { form } = walk
  for (const [child, path] of form.objects(section, 'components', at, { min: 1, max: 3, required: true }) ?? []) {
    if (child.type === kind.text) check(walk, child, path)
    else wrongType(form, path, [kind.text])
  }
  const accessory = form.object(section, 'accessory', at, { required: true })
  if (accessory === undefined) return
  const path = [...at, 'accessory']
  if (accessory.type === kind.button) checkControl(walk, accessory, path)
  else if (accessory.type === kind.thumbnail) check(walk, accessory, path)
  else wrongType(form, path, [kind.button, kind.thumbnail])
}

function checkMedia(form: Form, holder: JsonObject, key: string, at: Path): void {
  const media = form.object(holder, key, at, { required: true })
  if (media !== undefined) form.url(media, 'url', [...at, key], ['http', 'https', 'attachment'], { required: true })
}

/** Gives every component that has no id the next free one, because every component of a message has an id. */
function numberComponents(components: readonly JsonObject[], taken: ReadonlySet<number>): void {
  let next = 1
  const visit = (component: JsonObject) => {
    if (typeof component.id !== 'number' || component.id === 0) {
      while (taken.has(next)) next += 1
      component.id = next
      next += 1
    }
    for (const child of (component.components as JsonObject[] | undefined) ?? []) visit(child)
    if (component.accessory !== undefined) visit(component.accessory as JsonObject)
  }
  for (const component of components) visit(component)
}

/** Returns the texts of a message's components, in order. */
export function textsIn(components: readonly JsonObject[]): string[] {
  return [...everyComponent(components)].filter(({ type }) => type === kind.text).map(({ content }) => String(content))
}

/** Yields all components of a message or form, at any depth. */
export function* everyComponent(components: readonly JsonObject[]): Generator<JsonObject> {
  for (const component of components) {
    yield component
    yield* everyComponent((component.components as JsonObject[] | undefined) ?? [])
    for (const key of ['accessory', 'component'])
      if (component[key] !== undefined) yield* everyComponent([component[key] as JsonObject])
  }
}
