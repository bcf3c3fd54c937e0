import { type Entropy, uniform } from '../../lib/entropy.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { DropCommand, PuzzleKind } from './drops.ts'

export interface Puzzle {
  readonly puzzle: PuzzleKind
  /**
   * The question, to which the front adds text in the reader's language: `17 + 26` for a sum, the phrase itself for a
   * phrase.
   */
  readonly question: string
  /** The expected answer; for `trivia`, alternatives separated by `|`. */
  readonly answer: string
}

const MAX_LENGTH = 200

/** Short words that are hard to confuse, for phrases that nobody could have prepared. */
const WORDS = ['amber', 'bolt', 'cedar', 'comet', 'delta', 'ember', 'fjord', 'maple', 'onyx', 'orbit', 'pixel', 'river']

/**
 * Makes a command's puzzle; undefined if the command has none. Throws TippingRefusal if a part of the puzzle is missing
 * or too long.
 */
export function makePuzzle(entropy: Entropy, command: DropCommand): Puzzle | undefined {
  const { puzzle, question = '', answer = '' } = command
  if (question.length > MAX_LENGTH || answer.length > MAX_LENGTH) {
    throw new TippingRefusal('text-too-long', { what: 'description', most: MAX_LENGTH })
  }
  switch (puzzle) {
    case undefined:
      return undefined
    case 'sum': {
      const [one, other] = [12 + uniform(entropy, 78), 12 + uniform(entropy, 78)]
      return { puzzle, question: `${one} + ${other}`, answer: String(one + other) }
    }
    case 'phrase': {
      const phrase = answer.trim() || Array.from({ length: 3 }, () => WORDS[uniform(entropy, WORDS.length)]).join(' ')
      return { puzzle, question: phrase, answer: phrase }
    }
    case 'trivia': {
      if (question.trim() === '' || alternatives(answer).length === 0)
        throw new TippingRefusal('drop-trivia-incomplete', {})
      return { puzzle, question: question.trim(), answer }
    }
  }
}

/** Whether the typed text, if any, is a right answer. Ignores case, accents, spaces and punctuation at the ends. */
export function isRight(puzzle: PuzzleKind, answer: string, typed: string | undefined): boolean {
  const right = puzzle === 'trivia' ? alternatives(answer) : [plain(answer)]
  return typed !== undefined && right.includes(plain(typed))
}

function alternatives(answer: string): string[] {
  return answer
    .split('|')
    .map(plain)
    .filter((each) => each !== '')
}

function plain(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Only accents: marks of other scripts make different words.
      .replaceAll(/[\u0300-\u036f]/g, '')
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^[\s"'“”‘’.!?]+|[\s"'“”‘’.!?]+$/g, '')
  )
}
