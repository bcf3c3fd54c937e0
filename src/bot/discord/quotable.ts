import { linksAsCode, withoutMentionOfAll } from './links.ts'

/**
 * Somebody's own text inside a sentence of ours: one line, cut short, with none of Discord's marks at work. Links are code, so that
 * nobody is led anywhere under our name, and nobody is mentioned.
 */
export function quotable(text: string, longest = 60): string {
  const line = text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').replaceAll(CONTROLS, '').trim()
  const characters = [...line]
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
  return linksAsCode(short, (part) => withoutMentionOfAll(part.replaceAll(MARKS, '\\$&'))).replace(AT_THE_START, '\\$&')
}

/** Marks that turn the direction of text around, and others that nobody sees: they make a text look like another. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
const CONTROLS = /[\p{Cc}\p{Cs}]/gu
/**
 * What begins a masked link, a mention of a command, channel or person, code, a spoiler, or emphasis; and what would undo a backslash
 * of ours.
 */
const MARKS = /[\\[\]<>`|*_~]/g
/** A heading, a list, or small print, at the beginning of a line. */
const AT_THE_START = /^(?:#|-)/
