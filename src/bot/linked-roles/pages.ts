import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy } from '../../lib/web/inline-file.ts'
import { CARD_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { RoleFigures } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'

/** The pages' content security policy: they run no scripts, submit no forms, and use only their own style. */
export const LINKED_ROLES_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(CARD_STYLE.text)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The reason why nothing was connected.
 * - `over`: the attempt was used, took too long, or started in another browser.
 * - `denied`: the member refused. `incomplete`: Discord granted less than requested. `away`: Discord does not answer.
 */
export type Problem = 'over' | 'denied' | 'incomplete' | 'away'

/** Draws the page that explains, before the consent, which records Discord will show. */
export function drawIntro(t: Translator): Html {
  return frame(
    t,
    html`<p>${t('linkedRoles.intro')}</p>
<ul><li>${t('linkedRoles.satsGiven.name')}</li><li>${t('linkedRoles.tipsGiven.name')}</li><li>${t('linkedRoles.memberSince.name')}</li></ul>
<p>${t('linkedRoles.whoSees')}</p>
<p class="soft">${t('linkedRoles.howToEnd')}</p>
<p><a class="button" href="linked-roles/consent">${t('linkedRoles.go')}</a></p>`,
  )
}

export function drawDone({ given, tips, since }: RoleFigures, isTold: boolean, t: Translator): Html {
  return frame(
    t,
    html`<p>${t(isTold ? 'linkedRoles.done' : 'linkedRoles.doneLater')}</p>
<ul><li>${t('linkedRoles.satsGiven.name')} · <b>${t.amount(given)}</b></li>
<li>${t('linkedRoles.tipsGiven.name')} · <b>${tips.toLocaleString(t.locale)}</b></li>
<li>${t('linkedRoles.memberSince.name')} · <b>${t.moment(since)}</b></li></ul>
<p class="soft">${t('linkedRoles.howToEnd')}</p>`,
  )
}

export function drawProblem(problem: Problem, t: Translator): Html {
  return frame(
    t,
    html`<p role="alert">${t(`linkedRoles.problem.${problem}`)}</p>
<p><a class="button" href="../linked-roles">${t('linkedRoles.again')}</a></p>`,
  )
}

function frame(t: Translator, main: HtmlPart): Html {
  const title = t('linkedRoles.title')
  const head = html`<style>${CARD_STYLE}</style>`
  return pageFrame(
    { language: t.locale, title: `${title} · Satchel`, head },
    html`<main><h1>${title}</h1>${main}</main>`,
  )
}
