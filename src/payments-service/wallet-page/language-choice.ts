import type { FastifyInstance } from 'fastify'
import { isSpoken } from './i18n/languages.ts'
import { rememberLanguage } from './language.ts'
import { readForm, type WalletPageParts } from './page-request.ts'
import { WalletProblem } from './problems.ts'
import { refuseForeignForm } from './request-guard.ts'

/** Matches the paths of the wallet's pages and of the page to which programs send users, and no other address. */
const OWN_PATH = /^\/(?:wallet|v1\/oauth2\/authorize)(?:[/?][\w\-.~%/?&=+:@*]*)?$/
/** Long enough for the path of a program's log-in request, which is longer than all others. */
const MAX_PATH_LENGTH = 10_000

/**
 * Adds the form that stores the language that a visitor chooses, and reloads their page. Visitors need not be signed
 * in.
 */
export function addLanguageChoice(app: FastifyInstance, { parts }: WalletPageParts): void {
  app.post('/language', async (request, reply) => {
    refuseForeignForm(request, parts.publicUrl)
    const form = readForm(request)
    const code = form.get('language') ?? ''
    if (!isSpoken(code)) throw new WalletProblem(400, 'invalid_field', (t) => t('errors.noLanguage'))
    rememberLanguage(reply, code, parts.publicUrl)
    const back = form.get('back') ?? ''
    return reply.redirect(back.length <= MAX_PATH_LENGTH && OWN_PATH.test(back) ? back : '/wallet', 303)
  })
}
