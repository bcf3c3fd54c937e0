/**
 * The page's languages by code (BCP 47), each with the name that its speakers use. A new language needs a line here and
 * a file beside `en.json`.
 */
export const LANGUAGES = {
  en: 'English',
  ar: 'العربية',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  ru: 'Русский',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  zh: '简体中文',
  'zh-TW': '繁體中文',
} as const

export type LanguageCode = keyof typeof LANGUAGES

/** Whether the page supports the language with this code. */
export function isSpoken(code: string): code is LanguageCode {
  return Object.hasOwn(LANGUAGES, code)
}
