/**
 * A text as a person sees it: without the characters that are never drawn (Unicode's category Cf: zero-width spaces and
 * joiners, byte order marks, direction marks, soft hyphens), and without space around it. They come along when people copy
 * from web pages and messengers.
 */
export function readPasted(text: string): string {
  return text.replace(/\p{Cf}/gu, '').trim()
}
