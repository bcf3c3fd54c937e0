/** The maximum lengths of texts in characters, by purpose. The first entry whose pattern matches counts. */
const LIMITS: ReadonlyArray<readonly [path: RegExp, most: number, what: string]> = [
  [/^commands\.(.+\.)?name$/, 32, 'a name of a command or an option'],
  [/^menus\.[^.]+\.name$/, 32, "a name in a message's or a person's menu"],
  [/^commands\.(.+\.)?description$/, 100, 'a description of a command or an option'],
  [/^commands\..+\.choices\.[^.]+$/, 100, 'a choice'],
  [/Button$/, 80, "a button's label"],
  [/^(tipForm|[^.]+\.form)\.title$|\.formTitle$/, 45, "a form's title"],
  [/^tipForm\.\w+Hint$|\.form\.\w+Hint$|^drop\.hint\./, 100, "a form field's hint"],
  [/^tipForm\.\w+$|\.form\.\w+$|Label$/, 45, "a form field's label"],
  [/Menu$|^settings\.server\.titles\./, 100, "a menu's text"],
  [/^settings\.mine\.\w+(On|Off|Option)$/, 80, 'a choice in a menu'],
  [/\.picture\.(?!alt)/, 40, 'a heading in a picture'],
  [/^presence\./, 128, "the bot's status"],
  [/^linkedRoles\.\w+\.name$/, 100, 'a name of what a role is tied to'],
  [/^linkedRoles\.\w+\.description$/, 200, 'a description of what a role is tied to'],
  [/^linkedRoles\./, 600, 'a text of a web page'],
  [/(\.|^)\w*[aA]lt(_\w+)?$/, 600, 'an alternative text'],
  [/([tT]itle|\.title\.[^.]+)$/, 200, "a message's title"],
  [/^(connectPage|payPage|overlay)\./, 600, 'a text of a web page'],
  [/^help\..+\.text$/, 3_500, 'a topic of the help'],
]

/** The maximum length of every other text, which is in a message among others. */
const MAX_LENGTH = 1_000

/** The texts that Discord shows without style marks: a command in code would be neither code nor clickable there. */
const WITHOUT_MARKS = LIMITS.filter(([, , what]) => what !== 'a topic of the help').map(([pattern]) => pattern)

/**
 * Returns whether Discord applies a text's style marks, as in a message's text, or in an embed's description and
 * fields.
 */
export function isStyled(path: string): boolean {
  return !WITHOUT_MARKS.some((pattern) => pattern.test(path))
}

/** Returns the maximum length of this text, and the kind of text that it is. */
export function limitOf(path: string): { readonly most: number; readonly what: string } {
  const [, most = MAX_LENGTH, what = 'a sentence'] = LIMITS.find(([pattern]) => pattern.test(path)) ?? []
  return { most, what }
}
