import { languages } from './languages.ts'

/** The first language of a browser's list (RFC 9110, Accept-Language) that is spoken here. */
export function languageIn(header = ''): string {
  const wanted = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '')
  const spoken = wanted.find((tag) => languages.some(({ code }) => code === tag.split('-')[0]?.toLowerCase()))
  return spoken ?? 'en'
}
