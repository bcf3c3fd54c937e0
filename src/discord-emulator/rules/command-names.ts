const pattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

/** Whether a name may be a slash command's or an option's: the pattern, and lower case where there is one. */
export function isCommandName(name: string): boolean {
  return pattern.test(name) && name === name.toLowerCase()
}
