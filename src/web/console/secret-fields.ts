/** The prefix of fields with secrets, whose value is shown nowhere and is kept for no second form. */
export const SECRET = 'secret:'

export function isSecret(name: string): boolean {
  return name.startsWith(SECRET)
}

/** The secret's subject. */
export function secretName(field: string): string {
  return field.slice(SECRET.length)
}
