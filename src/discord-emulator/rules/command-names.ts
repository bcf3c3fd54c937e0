const pattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

/**
 * Whether a slash command or an option may have this name: it matches the pattern, and is in lower case if its letters
 * have one.
 */
export function isCommandName(name: string): boolean {
  return pattern.test(name) && name === name.toLowerCase()
}
