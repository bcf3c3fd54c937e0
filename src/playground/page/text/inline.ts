/** A piece of a message's text, as Discord reads its Markdown. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'person' | 'role' | 'channel'; readonly id: string }
  | { readonly kind: 'emoji'; readonly name: string; readonly id: string }
  | { readonly kind: 'everyone'; readonly text: string }
  | { readonly kind: 'command'; readonly path: string }
  | { readonly kind: 'time'; readonly seconds: number; readonly style: string }

interface Rule {
  readonly shape: RegExp
  make(match: RegExpExecArray): Inline | undefined
}

const url = String.raw`https?:\/\/[^\s<>]*[^\s<>.,:;!?"'\])]`

/** The rules in the order in which they are tried at every position; the first match wins. */
const rules: readonly Rule[] = [
  { shape: /\\([^\w\s])/y, make: ([, text = '']) => ({ kind: 'text', text }) },
  {
    shape: /(`+)([\s\S]*?[^`])\1(?!`)/y,
    make: ([, , text = '']) => ({ kind: 'code', text: text.replace(/^ (.*) $/, '$1') }),
  },
  { shape: /<@!?(\d{15,20})>/y, make: ([, id = '']) => ({ kind: 'person', id }) },
  { shape: /<@&(\d{15,20})>/y, make: ([, id = '']) => ({ kind: 'role', id }) },
  { shape: /<#(\d{15,20})>/y, make: ([, id = '']) => ({ kind: 'channel', id }) },
  { shape: /<\/([^:>]+):\d+>/y, make: ([, path = '']) => ({ kind: 'command', path }) },
  { shape: /<a?:(\w+):(\d+)>/y, make: ([, name = '', id = '']) => ({ kind: 'emoji', name, id }) },
  {
    shape: /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
    make: ([, seconds, style = 'f']) => ({ kind: 'time', seconds: Number(seconds), style }),
  },
  { shape: /@(?:everyone|here)\b/y, make: ([text]) => ({ kind: 'everyone', text }) },
  {
    shape: new RegExp(String.raw`\[((?:[^[\]\\]|\\.)+)\]\(<?(${url}|https?:\/\/[^\s<>)]+)>?\)`, 'y'),
    make: ([, label = '', target = '']) => ({ kind: 'link', url: target, inside: inlines(label) }),
  },
  { shape: new RegExp(`<(${url})>`, 'y'), make: ([, target = '']) => plainLink(target) },
  { shape: new RegExp(url, 'y'), make: ([target]) => plainLink(target) },
  { shape: /\|\|([\s\S]+?)\|\|/y, make: ([, text = '']) => ({ kind: 'spoiler', inside: inlines(text) }) },
  { shape: /\*\*([\s\S]+?)\*\*(?!\*)/y, make: ([, text = '']) => ({ kind: 'bold', inside: inlines(text) }) },
  { shape: /__([\s\S]+?)__(?!_)/y, make: ([, text = '']) => ({ kind: 'underline', inside: inlines(text) }) },
  { shape: /~~([\s\S]+?)~~/y, make: ([, text = '']) => ({ kind: 'strike', inside: inlines(text) }) },
  { shape: /\*(?!\s)([^*]+?)(?<!\s)\*(?!\*)/y, make: ([, text = '']) => ({ kind: 'italic', inside: inlines(text) }) },
  { shape: /(?<!\w)_([^_]+?)_(?!\w)/y, make: ([, text = '']) => ({ kind: 'italic', inside: inlines(text) }) },
]

/** Characters with which a rule could begin. The text between them is plain. */
const starts = /[\\`<@[|*_~h]/g

/** Parses one paragraph's text. */
export function inlines(text: string): Inline[] {
  const found: Inline[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') found.push({ kind: 'text', text: plain })
    plain = ''
  }
  for (let at = 0; at < text.length; ) {
    starts.lastIndex = at
    const next = starts.exec(text)?.index ?? text.length
    plain += text.slice(at, next)
    at = next
    if (at >= text.length) break
    const hit = readAt(text, at)
    if (hit === undefined) {
      plain += text[at]
      at += 1
    } else if (hit.piece.kind === 'text') {
      plain += hit.piece.text
      at += hit.length
    } else {
      flush()
      found.push(hit.piece)
      at += hit.length
    }
  }
  flush()
  return found
}

function readAt(text: string, at: number): { piece: Inline; length: number } | undefined {
  for (const { shape, make } of rules) {
    shape.lastIndex = at
    const match = shape.exec(text)
    const piece = match === null ? undefined : make(match)
    if (match !== null && piece !== undefined) return { piece, length: match[0].length }
  }
  return undefined
}

function plainLink(target: string): Inline {
  return { kind: 'link', url: target, inside: [{ kind: 'text', text: target }] }
}
