/** HTML that may be sent unchanged, because `html` made it and escaped all values, or because it is a file of ours. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/**
 * Values that a template accepts: HTML stays unchanged, texts and numbers are escaped, lists are joined, and other
 * values are omitted.
 */
export type HtmlPart = Html | string | number | bigint | false | null | undefined | readonly HtmlPart[]

/**
 * Builds HTML. Every value that is not HTML itself is escaped for text and for attributes in double quotes, so nobody
 * can forget to escape a value. Values are not permitted inside `<script>`, `<style>` or an attribute without quotes.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = literals[0] ?? ''
  for (const [i, part] of parts.entries()) text += render(part) + (literals[i + 1] ?? '')
  return new Html(text)
}

/** Converts a sentence with code in backticks to HTML. */
export function withCode(sentence: string): Html {
  return html`${sentence.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** Characters that HTML and XML forbid, and that would make an SVG picture invalid. */
const UNWRITABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Escapes a text for HTML and SVG, in an element as well as in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(UNWRITABLE, '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function render(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'object') return part.map(render).join('')
  return escapeHtml(String(part))
}
