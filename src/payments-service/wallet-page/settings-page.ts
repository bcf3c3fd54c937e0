import type { FastifyInstance } from 'fastify'
import { qrPng } from '../../lib/lightning/qr.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { type FormerName, listFormerNames, renameOneself } from '../engine/names/gamertags.ts'
import { releaseOwnName } from '../engine/names/identifiers.ts'
import { addressOf } from '../receiving/payable-name.ts'
import { newSignInToken, signInLink } from '../users/sign-in-token.ts'
import { addConnectedApps, connectedAppsCard } from './connected-apps.ts'
import { alert, copyable, facts, qrPicture } from './frame.ts'
import { LANGUAGES } from './i18n/languages.ts'
import { linkCodeCard, showLinkCode } from './link-code-page.ts'
import { addForm, addLeavingForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { WalletProblem } from './problems.ts'
import { signOut, signOutEverywhere } from './session.ts'

/** The lifetime of a link for another device, which is opened at once or not at all. */
const DEVICE_LINK_MINUTES = 10

/** Adds the pages for the gamertag, the signed-in devices, and signing out. */
export function addSettingsPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/settings', (pageRequest) => showSettings(pageRequest))
  addForm(app, wallet, '/rename', rename, showSettings)
  addForm(app, wallet, '/release', release, showSettings)
  addForm(app, wallet, '/link-code', showLinkCode)
  addForm(app, wallet, '/device', showDeviceLink)
  addConnectedApps(app, wallet)
  addLeavingForm(app, wallet, '/sign-out', async (pageRequest) => {
    await signOut(pageRequest.parts, pageRequest.session.token)
    wallet.cookie.clear(pageRequest.reply)
    return '/wallet/signed-out'
  })
  addLeavingForm(app, wallet, '/sign-out-everywhere', async (pageRequest) => {
    await signOutEverywhere(pageRequest.parts, pageRequest.user.id)
    wallet.cookie.clear(pageRequest.reply)
    return '/wallet/signed-out'
  })
}

async function showSettings(pageRequest: PageRequest, problem?: string): Promise<Html> {
  const { parts, user, form, t } = pageRequest
  const former = await listFormerNames(parts, user.id)
  return pageRequest.page(
    { title: t('parts.settings'), part: 'settings' },
    html`<h1>${t('parts.settings')}</h1>
${alert(problem)}
<section class="card" aria-labelledby="name">
<h2 id="name">${t('settings.name')}</h2>
${facts([
  [t('settings.gamertag'), html`<b>${user.gamertag}</b>`],
  [t('receive.addressLabel'), addressOf(parts, user.gamertag)],
])}
<form method="post" action="/wallet/rename">${pageRequest.formFields()}
<label>${t('settings.new')}<input name="gamertag" value="${form.get('gamertag')}" minlength="3" maxlength="30" pattern="[A-Za-z0-9_\\-]{3,30}" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">${t('settings.nameHint')} ${whatBecomesOfOldName(pageRequest)}</p>
<button>${t('settings.rename')}</button>
</form>
${former.map((name) => formerName(pageRequest, name))}
</section>
${linkCodeCard(pageRequest)}
${await connectedAppsCard(pageRequest)}
${languageCard(pageRequest)}
${devicesCard(pageRequest)}`,
  )
}

function devicesCard(pageRequest: PageRequest): Html {
  const { t } = pageRequest
  return html`<section class="card" aria-labelledby="devices">
<h2 id="devices">${t('settings.devices')}</h2>
<p>${t('settings.deviceWhy', { time: t.duration(DEVICE_LINK_MINUTES, 'minute') })}</p>
<form method="post" action="/wallet/device">${pageRequest.formFields()}<button>${t('settings.device')}</button></form>
<form method="post" action="/wallet/sign-out">${pageRequest.formFields()}<button>${t('settings.out')}</button></form>
<form method="post" action="/wallet/sign-out-everywhere">${pageRequest.formFields()}<button>${t('settings.outAll')}</button></form>
<p class="hint">${t.rich('settings.outHint', { command: html`<b>${t.command('wallet')}</b>` })}</p>
</section>`
}

function formerName(pageRequest: PageRequest, { display, reservedUntil }: FormerName): Html {
  const { t } = pageRequest
  const date = new Intl.DateTimeFormat(t.code, { dateStyle: 'long', timeZone: 'UTC' }).format(reservedUntil)
  return html`<form method="post" action="/wallet/release">${pageRequest.formFields()}
<input type="hidden" name="name" value="${display}">
<p class="hint">${t('settings.former', { name: display, date })}</p>
<button>${t('settings.release', { name: display })}</button>
</form>`
}

function whatBecomesOfOldName({ parts, t }: PageRequest): string {
  const days = parts.settings.gamertagReservedDays
  if (days === 0) return t('settings.freed')
  return t('settings.kept', { time: t.duration(days, 'day') })
}

function languageCard(pageRequest: PageRequest): Html {
  const { t } = pageRequest
  const choices = Object.entries(LANGUAGES).map(
    ([code, name]) =>
      html`<option value="${code}" lang="${code}"${code === t.code && html` selected`}>${name}</option>`,
  )
  return html`<section class="card" aria-labelledby="language">
<h2 id="language">${t('settings.language')}</h2>
<form method="post" action="/wallet/language"><input type="hidden" name="back" value="/wallet/settings" autocomplete="off">
<select name="language" aria-labelledby="language">${choices}</select>
<button>${t('settings.choose')}</button>
</form>
</section>`
}

async function rename(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form } = pageRequest
  const gamertag = (form.get('gamertag') ?? '').trim()
  if (!operations.payToGamertag.body.shape.gamertag.safeParse(gamertag).success) {
    throw new WalletProblem(400, 'invalid_field', (t) => t('errors.badName'))
  }
  await parts.ledger.commit({ write: (tx) => renameOneself(parts, tx, user.id, gamertag) })
  return '/wallet/settings'
}

async function release({ parts, user, form }: PageRequest): Promise<string> {
  const name = form.get('name') ?? ''
  if (!(await parts.ledger.commit({ write: (tx) => releaseOwnName(tx, user.id, name) }))) {
    throw new WalletProblem(404, 'not_found', (t) => t('errors.noName'))
  }
  return '/wallet/settings'
}

async function showDeviceLink(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, t } = pageRequest
  const { token, row } = newSignInToken(parts, user.id, DEVICE_LINK_MINUTES * 60)
  await parts.ledger.commit({ rows: [row] })
  const link = signInLink(parts, token)
  return pageRequest.page(
    { title: t('settings.device'), part: 'settings' },
    html`<section class="card centred">
<h1>${t('settings.device')}</h1>
<p>${t('settings.scan', { time: t.duration(DEVICE_LINK_MINUTES, 'minute') })}</p>
${qrPicture(await qrPng(link), t('settings.scanQr'))}
${copyable(t, t('settings.link'), link)}
<p><a class="button" href="/wallet/settings">${t('frame.done')}</a></p>
</section>`,
  )
}
