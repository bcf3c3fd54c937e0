import en from '../words/en.json' with { type: 'json' }
import type { Key, Words } from '../words.ts'
import { isDrawable } from './png.ts'

/** Words that fit a picture: in the reader's language where the font has its letters, in English where it has not. */
export function drawnTitle(key: Extract<Key, `${string}.picture.${string}`>, words: Words): string {
  const own = words.say(key)
  if (isDrawable(own)) return own
  const found = key.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], en)
  return String(found)
}
