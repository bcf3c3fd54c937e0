/**
 * Rates how well a text matches the typed text: a higher number is a better match, and null means no match. The typed
 * letters may be apart in the text, but must be in order.
 */
export function closeness(text: string, typed: string): number | null {
  const hay = text.toLowerCase()
  const needle = typed.toLowerCase().trim()
  if (needle === '') return 0
  if (hay === needle) return 1_000
  // A command's verbs keep their order: "giv" offers to start a giveaway before it offers to end one.
  const { length } = hay.split(' ', 1)[0] ?? ''
  if (hay.startsWith(needle)) return 500 - length
  const inside = hay.indexOf(needle)
  if (inside !== -1) return (/\W/.test(hay[inside - 1] ?? '') ? 300 : 200) - length
  let at = -1
  let gaps = 0
  for (const letter of needle) {
    const next = hay.indexOf(letter, at + 1)
    if (next === -1) return null
    if (at !== -1) gaps += next - at - 1
    at = next
  }
  return 50 - gaps
}

/** Returns the matching items, best first. Equally good matches keep their order. */
export function best<Item>(items: readonly Item[], typed: string, textsOf: (item: Item) => readonly string[]): Item[] {
  return items
    .map((item) => ({
      item,
      score: Math.max(...textsOf(item).map((text) => closeness(text, typed) ?? Number.NEGATIVE_INFINITY)),
    }))
    .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item)
}
