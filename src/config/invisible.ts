/** Invisible characters: format and control characters, and unusual spaces. */
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u00A0\u115F\u1160\u2000-\u200A\u202F\u205F\u3000\u3164]/u

const NAMES: Readonly<Record<string, string>> = {
  '\u00A0': 'a no-break space',
  '\u00AD': 'a soft hyphen',
  '\u200B': 'a zero-width space',
  '\u200C': 'a zero-width non-joiner',
  '\u200D': 'a zero-width joiner',
  '\u200E': 'a left-to-right mark',
  '\u200F': 'a right-to-left mark',
  '\u2060': 'a word joiner',
  '\uFEFF': 'a byte order mark',
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a line break',
}

/** Names the first invisible character of a text: “U+200B, a zero-width space”. Undefined if there is none. */
export function invisibleIn(text: string): string | undefined {
  const found = INVISIBLE.exec(text)?.[0]
  if (found === undefined) return undefined
  const code = `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  return NAMES[found] === undefined ? code : `${code}, ${NAMES[found]}`
}
