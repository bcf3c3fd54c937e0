import { timestamp } from './format.ts'
import { type Inline, inlines } from './inline.ts'

/** The known names for the ids in a text, the present time in Unix ms, and the language of times. */
export interface Known {
  person(id: string): string | undefined
  role(id: string): string | undefined
  channel(id: string): string | undefined
  readonly now: number
  readonly language: string
}

/** Converts a text to one line without Markdown, as a reply shows the answered message. */
export function oneLine(text: string, known: Known): string {
  const unmarked = text.replaceAll(/^(?:-# |#{1,3} |> )/gm, '')
  return inlines(unmarked)
    .map((piece) => wordsOf(piece, known))
    .join('')
}

function wordsOf(piece: Inline, known: Known): string {
  switch (piece.kind) {
    case 'text':
    case 'code':
    case 'everyone':
      return piece.text
    case 'person':
      return `@${known.person(piece.id) ?? 'somebody'}`
    case 'role':
      return `@${known.role(piece.id) ?? 'unknown-role'}`
    case 'channel':
      return `#${known.channel(piece.id) ?? 'unknown'}`
    case 'command':
      return `/${piece.path}`
    case 'emoji':
      return `:${piece.name}:`
    case 'time':
      return timestamp(piece.seconds, piece.style, known.now, known.language)
    default:
      return piece.inside.map((each) => wordsOf(each, known)).join('')
  }
}
