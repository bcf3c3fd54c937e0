/**
 * Returns a text as people see it: without invisible characters (Unicode's category Cf: zero-width spaces and joiners,
 * byte order marks, direction marks, soft hyphens), and without surrounding space. Such characters come along when
 * people copy from web pages and messengers.
 */
export function readPasted(text: string): string {
  return text.replace(/\p{Cf}/gu, '').trim()
}
