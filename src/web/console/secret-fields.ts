/** The prefix of the names of fields for secrets, whose values are shown nowhere and kept for no second form. */
export const SECRET = 'secret:'

export function isSecret(name: string): boolean {
  return name.startsWith(SECRET)
}

/** Returns the name of the secret without the prefix. */
export function secretName(field: string): string {
  return field.slice(SECRET.length)
}
