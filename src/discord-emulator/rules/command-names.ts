const pattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

/**
 * Whether a slash command or an option can have this name: it must match the pattern, and must be in lower case if its
 * letters have cases.
 */
export function isCommandName(name: string): boolean {
  return pattern.test(name) && name === name.toLowerCase()
}
