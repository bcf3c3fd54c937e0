import { kind } from './component-kinds.ts'
import type { Form, JsonObject, Path } from './form.ts'
import { isSnowflake } from './snowflake.ts'

const style = { primary: 1, link: 5, premium: 6 } as const

/**
 * Checks a button. Styles 1–4 need a custom id, style 5 a link, and style 6 a product. No button can have a field of
 * another style.
 */
export function checkButton(form: Form, button: JsonObject, at: Path): void {
  const shown = form.choice(button, 'style', at, [1, 2, 3, 4, 5, 6], { required: true })
  const label = form.text(button, 'label', at, { max: 80 })
  form.boolean(button, 'disabled', at)
  checkEmoji(form, button, at)
  const customId = button.custom_id ?? undefined
  const url = button.url ?? undefined
  if (shown === style.link) {
    form.text(button, 'url', at, { max: 512, required: true })
    form.url(button, 'url', at, ['http', 'https', 'discord'])
    if (customId !== undefined) onlyOne(form, [...at, 'custom_id'])
  } else if (shown === style.premium) {
    form.text(button, 'sku_id', at, { max: 20, required: true })
    for (const key of ['custom_id', 'label', 'url', 'emoji'])
      if ((button[key] ?? undefined) !== undefined) onlyOne(form, [...at, key])
    return
  } else {
    form.text(button, 'custom_id', at, { min: 1, max: 100, required: true })
    if (url !== undefined) onlyOne(form, [...at, 'url'])
  }
  if ((label === undefined || label === '') && (button.emoji ?? undefined) === undefined)
    form.fault([...at, 'label'], 'BUTTON_COMPONENT_LABEL_REQUIRED', 'A button must have a label or an emoji')
}

const emojiName = /^\p{RGI_Emoji}$/v

/**
 * Checks an emoji: a standard one in `name`, or a custom one by its `id`.
 * https://docs.discord.com/developers/resources/emoji
 */
function checkEmoji(form: Form, holder: JsonObject, at: Path): void {
  const emoji = form.object(holder, 'emoji', at)
  if (emoji === undefined) return
  const { id, name } = emoji
  const known = typeof id === 'string' ? isSnowflake(id) : typeof name === 'string' && isEmoji(name)
  if (!known)
    form.fault([...at, 'emoji', typeof id === 'string' ? 'id' : 'name'], 'COMPONENT_INVALID_EMOJI', 'Invalid emoji')
}

/**
 * Whether a text is an emoji. Some characters are emoji only if the variation selector for a coloured picture follows.
 * Discord accepts such characters without the selector.
 */
function isEmoji(name: string): boolean {
  return emojiName.test(name) || emojiName.test(`${name}\uFE0F`)
}

function onlyOne(form: Form, path: Path): void {
  form.fault(
    path,
    'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    'A custom id and url cannot both be specified, nor a field that this button style does not have',
  )
}

/** Checks a select menu: of the bot's own options, or of people, roles, both of these, or channels. */
export function checkSelect(form: Form, select: JsonObject, at: Path): void {
  form.text(select, 'custom_id', at, { min: 1, max: 100, required: true })
  form.text(select, 'placeholder', at, { max: 150 })
  const min = form.integer(select, 'min_values', at, { min: 0, max: 25 }) ?? 1
  const max = form.integer(select, 'max_values', at, { min: 1, max: 25 }) ?? 1
  form.boolean(select, 'disabled', at)
  if (min > max)
    form.fault([...at, 'min_values'], 'SELECT_COMPONENT_MIN_GREATER_THAN_MAX', 'Min values must not exceed max values')
  if (select.type !== kind.stringSelect) {
    form.objects(select, 'default_values', at, { max: 25 })
    return
  }
  const options = form.objects(select, 'options', at, { min: 1, max: 25, required: true }) ?? []
  const values = new Set<string>()
  for (const [option, path] of options) {
    form.text(option, 'label', path, { min: 1, max: 100, required: true })
    form.text(option, 'description', path, { max: 100 })
    checkEmoji(form, option, path)
    form.boolean(option, 'default', path)
    const value = form.text(option, 'value', path, { min: 1, max: 100, required: true })
    if (value === undefined) continue
    if (values.has(value))
      form.fault(
        [...path, 'value'],
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      )
    values.add(value)
  }
  if (options.length > 0 && max > options.length)
    form.fault(
      [...at, 'max_values'],
      'SELECT_COMPONENT_MAX_VALUES_TOO_LARGE',
      `Max values must not exceed the number of options (${options.length})`,
    )
  const chosen = options.filter(([option]) => option.default === true).length
  if (chosen > max)
    form.fault([...at, 'options'], 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES', 'Too many default values were provided')
}

/**
 * Checks a text input, which exists only in forms. In a row, the input has a label of its own (`ownLabel`); otherwise,
 * the label component around it contains the label.
 */
export function checkTextInput(form: Form, input: JsonObject, at: Path, ownLabel: boolean): void {
  form.text(input, 'custom_id', at, { min: 1, max: 100, required: true })
  form.choice(input, 'style', at, [1, 2], { required: true })
  form.text(input, 'label', at, { min: 1, max: 45, required: ownLabel })
  form.text(input, 'placeholder', at, { max: 100 })
  form.boolean(input, 'required', at)
  const min = form.integer(input, 'min_length', at, { min: 0, max: 4000 }) ?? 0
  const max = form.integer(input, 'max_length', at, { min: 1, max: 4000 }) ?? 4000
  if (min > max)
    form.fault([...at, 'min_length'], 'TEXT_INPUT_MIN_GREATER_THAN_MAX', 'Min length must not exceed max length')
  form.text(input, 'value', at, { max })
}

/**
 * Checks a control that exists only in forms: a file upload, a radio group, a checkbox group or a checkbox.
 * https://docs.discord.com/developers/components/reference#radio-group
 */
export function checkFormControl(form: Form, control: JsonObject, at: Path): void {
  form.text(control, 'custom_id', at, { min: 1, max: 100, required: true })
  if (control.type === kind.checkbox) {
    form.boolean(control, 'default', at)
    return
  }
  form.boolean(control, 'required', at)
  const isRadio = control.type === kind.radioGroup
  if (!isRadio) {
    form.integer(control, 'min_values', at, { min: 0, max: 10 })
    form.integer(control, 'max_values', at, { min: 1, max: 10 })
  }
  if (control.type === kind.fileUpload) return
  const options = form.objects(control, 'options', at, { min: isRadio ? 2 : 1, max: 10, required: true }) ?? []
  const values = new Set<string>()
  for (const [option, path] of options) {
    form.text(option, 'label', path, { min: 1, max: 100, required: true })
    form.text(option, 'description', path, { max: 100 })
    form.boolean(option, 'default', path)
    const value = form.text(option, 'value', path, { min: 1, max: 100, required: true }) ?? ''
    if (values.has(value))
      form.fault(
        [...path, 'value'],
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      )
    values.add(value)
  }
  if (isRadio && options.filter(([option]) => option.default === true).length > 1)
    form.fault([...at, 'options'], 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES', 'Too many default values were provided')
}
