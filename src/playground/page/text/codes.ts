/** Matches whole invoices and LNURLs in a text. */
const shapes =
  /(?<![a-z0-9])(?:lightning:)?(?:ln(?:bcrt|bc|tbs|tb|sb)[0-9]*[munp]?1[ac-hj-np-z02-9]{50,}|lnurl1[ac-hj-np-z02-9]{20,})/gi

/** Finds the codes in a text that a Lightning wallet can read. */
export function codesIn(text: string): string[] {
  return [...new Set([...text.matchAll(shapes)].map(([code]) => code))]
}

/** Shortens a code so that people still recognise it, as in `lnbcrt100u1p…x7k2qs`. */
export function shortCode(code: string): string {
  return code.length <= 28 ? code : `${code.slice(0, 14)}…${code.slice(-8)}`
}

/** Normalises a code, so that the same code compares equal in every spelling. */
export function bareCode(code: string): string {
  return code
    .trim()
    .toLowerCase()
    .replace(/^lightning:/, '')
}
