/** Somebody's own text inside a sentence of ours: one line, cut short, with none of Discord's marks at work. */
export function quotable(text: string, longest = 60): string {
  const line = text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
  return short
    .replaceAll(LINKS_AND_MENTIONS, '\\$&')
    .replaceAll(EMPHASIS_OUTSIDE_URLS, (mark, url) => (url === undefined ? `\\${mark}` : mark))
    .replace(AT_THE_START, '\\$&')
}

/** Marks that turn the direction of text around, and others that nobody sees: they make a text look like another. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
/** What begins a masked link, a mention of a command, channel or person, code, or a spoiler; and what would undo a backslash of ours. */
const LINKS_AND_MENTIONS = /[\\[\]<>`|]/g
/** Emphasis; an address keeps its underscores, or it would lead elsewhere. */
const EMPHASIS_OUTSIDE_URLS = /(https?:\/\/\S+)|[*_~]/g
/** A heading, a list, or small print, at the beginning of a line. */
const AT_THE_START = /^(?:#|-)/
