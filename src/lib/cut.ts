/** Shortens a text to at most `most` characters, as Discord counts them. Never splits an emoji. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
