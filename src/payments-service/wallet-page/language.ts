import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSpoken, type LanguageCode } from './i18n/languages.ts'

const COOKIE = 'wallet-language'
const YEAR_SECONDS = 31_536_000
/** The tags by which browsers ask for traditional Chinese, which is also read in Hong Kong and Macao. */
const TRADITIONAL = /^zh-(?:TW|HK|MO|Hant)\b/i
/** The maximum number of listed languages that are read; no ordinary browser lists more. */
const MAX_LISTED = 20

/**
 * Returns the visitor's chosen language; else the first language that the browser asks for and the page supports; else
 * English.
 */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): LanguageCode {
  const chosen = parseCookie(headers.cookie ?? '')[COOKIE] ?? ''
  if (isSpoken(chosen)) return chosen
  return asked(headers['accept-language'] ?? '').find(isSpoken) ?? 'en'
}

/**
 * Stores the chosen language in a cookie for a year. The cookie is not secret and grants nothing, so browsers also send
 * it when another site links here.
 */
export function rememberLanguage(reply: FastifyReply, code: LanguageCode, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:')
  const cookie = {
    name: COOKIE,
    value: code,
    path: '/wallet',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: YEAR_SECONDS,
  } as const
  void reply.header('set-cookie', stringifySetCookie(cookie))
}

/**
 * Returns the languages in an Accept-Language header, most preferred first.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
 */
function asked(header: string): string[] {
  return header
    .split(',', MAX_LISTED)
    .map((item) => {
      const [tag = '', weight = ''] = item.trim().split(/\s*;\s*q\s*=\s*/i)
      const language = TRADITIONAL.test(tag) ? 'zh-TW' : (tag.split('-')[0]?.toLowerCase() ?? '')
      return { language, weight: weight === '' ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
}
