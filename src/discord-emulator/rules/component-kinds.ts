/** Discord's numbers for the kinds of components. */
export const kind = {
  row: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  text: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
  fileUpload: 19,
  radioGroup: 21,
  checkboxGroup: 22,
  checkbox: 23,
} as const

/**
 * The controls of forms besides text inputs and menus. Each must be in a label.
 * https://docs.discord.com/developers/components/reference
 */
export const formControls: readonly number[] = [kind.fileUpload, kind.radioGroup, kind.checkboxGroup, kind.checkbox]

export const selects: readonly number[] = [
  kind.stringSelect,
  kind.userSelect,
  kind.roleSelect,
  kind.mentionableSelect,
  kind.channelSelect,
]
