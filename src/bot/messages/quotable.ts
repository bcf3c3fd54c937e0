import { linksAsCode, withoutMentionOfAll } from './links.ts'

/**
 * Formats somebody's text for use inside our sentence: in one line, shortened, and without working Discord markup.
 * Links become code, so that nobody is misled in the bot's name, and mentions do not work.
 */
export function quotable(text: string, longest = 60): string {
  const line = text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').replaceAll(CONTROLS, '').trim()
  const characters = [...line]
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
  const quoted = linksAsCode(short, (part) => withoutMentionOfAll(part.replaceAll(MARKS, '\\$&')))
  return RIGHT_TO_LEFT.test(quoted) ? `\u2068${quoted}\u2069` : quoted.replace(AT_THE_START, '\\$&')
}

/**
 * Letters of right-to-left scripts. A text with such letters is isolated (U+2068 to U+2069), so that the words and
 * figures around the text keep their order. https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Characters that change the direction of text, and other invisible ones. Such characters can make one text look like
 * another.
 */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
const CONTROLS = /[\p{Cc}\p{Cs}]/gu
/**
 * Characters that begin a masked link, a mention of a command, channel or person, code, a spoiler, or emphasis, and
 * those that would undo our backslash.
 */
const MARKS = /[\\[\]<>`|*_~]/g
/** The mark of a heading, a list or small print at the beginning of a line. */
const AT_THE_START = /^(?:#|-)/
