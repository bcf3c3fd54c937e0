import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/http/html.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { type FormerName, listFormerNames, renameOneself } from '../machines/names/gamertags.ts'
import { releaseOwnName } from '../machines/names/identifiers.ts'
import { addressOf } from '../receiving/payable-name.ts'
import { newSignInToken, signInLink } from '../users/sign-in-token.ts'
import { alert, copyable, facts, qrPicture } from './frame.ts'
import { linkCodeCard, showLinkCode } from './link-code-page.ts'
import { addForm, addLeavingForm, addPage, type PageRequest, type WalletPageParts } from './page-request.ts'
import { signOut, signOutEverywhere } from './session.ts'

/** The link for another device is opened at once or not at all. */
const DEVICE_LINK_MINUTES = 10

/** The gamertag, the devices that are signed in, and signing out. */
export function addSettingsPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/settings', (pageRequest) => showSettings(pageRequest))
  addForm(app, wallet, '/rename', rename, showSettings)
  addForm(app, wallet, '/release', release, showSettings)
  addForm(app, wallet, '/link-code', showLinkCode)
  addForm(app, wallet, '/device', showDeviceLink)
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
  const { parts, user, form } = pageRequest
  const former = await listFormerNames(parts, user.id)
  return pageRequest.page(
    { title: 'Settings', part: 'settings' },
    html`<h1>Settings</h1>
${alert(problem)}
<section class="card" aria-labelledby="name">
<h2 id="name">Your gamertag</h2>
${facts([
  ['Gamertag', html`<b>${user.gamertag}</b>`],
  ['Lightning Address', addressOf(parts, user.gamertag)],
])}
<form method="post" action="/wallet/rename">${pageRequest.formFields()}
<label>New gamertag<input name="gamertag" value="${form.get('gamertag')}" minlength="3" maxlength="30" pattern="[A-Za-z0-9_\\-]{3,30}" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">3 to 30 letters, digits, underscores or hyphens. Your balance and your history stay yours; your Lightning Address changes with the name. ${whatBecomesOfOldName(pageRequest)}</p>
<button>Rename</button>
</form>
${former.map((name) => formerName(pageRequest, name))}
</section>
${linkCodeCard(pageRequest)}
<section class="card" aria-labelledby="devices">
<h2 id="devices">Your devices</h2>
<p>Open this wallet on your phone or another computer with a link that works once, for ${DEVICE_LINK_MINUTES} minutes.</p>
<form method="post" action="/wallet/device">${pageRequest.formFields()}<button>Sign in on another device</button></form>
<form method="post" action="/wallet/sign-out">${pageRequest.formFields()}<button>Sign out here</button></form>
<form method="post" action="/wallet/sign-out-everywhere">${pageRequest.formFields()}<button>Sign out on all devices</button></form>
<p class="hint">Coming back needs a new sign-in link: <b>/wallet</b> on Discord gives you one, or the person who runs this service. Links for other devices that were not opened yet stop working when you sign out on all devices.</p>
</section>`,
  )
}

function formerName(pageRequest: PageRequest, { display, reservedUntil }: FormerName): Html {
  return html`<form method="post" action="/wallet/release">${pageRequest.formFields()}
<input type="hidden" name="name" value="${display}">
<p class="hint">${display} was yours before. Nobody else can take it until ${reservedUntil.toISOString().slice(0, 10)}.</p>
<button>Release ${display} now</button>
</form>`
}

function whatBecomesOfOldName({ parts }: PageRequest): string {
  const days = parts.settings.gamertagReservedDays
  const freed = 'Payments to the old name stop reaching you, and'
  if (days === 0) return `${freed} anybody may take it at once.`
  return `${freed} nobody else can take it for ${days} ${days === 1 ? 'day' : 'days'}; until then you can have it back.`
}

async function rename(pageRequest: PageRequest): Promise<string> {
  const { parts, user, form } = pageRequest
  const gamertag = (form.get('gamertag') ?? '').trim()
  if (!operations.payToGamertag.body.shape.gamertag.safeParse(gamertag).success) {
    throw new ServiceRefusal('invalid_field', 'A gamertag has 3 to 30 letters, digits, underscores or hyphens.')
  }
  await parts.ledger.commit({ write: (tx) => renameOneself(parts, tx, user.id, gamertag) })
  return '/wallet/settings'
}

async function release({ parts, user, form }: PageRequest): Promise<string> {
  const name = form.get('name') ?? ''
  if (!(await parts.ledger.commit({ write: (tx) => releaseOwnName(tx, user.id, name) }))) {
    throw new ServiceRefusal('not_found', 'No name like this is reserved for you: it is free, or somebody has it.')
  }
  return '/wallet/settings'
}

async function showDeviceLink(pageRequest: PageRequest): Promise<Html> {
  const { parts, user } = pageRequest
  const { token, row } = newSignInToken(parts, user.id, DEVICE_LINK_MINUTES * 60)
  await parts.ledger.commit({ rows: [row] })
  const link = signInLink(parts, token)
  return pageRequest.page(
    { title: 'Another device', part: 'settings' },
    html`<section class="card centred">
<h1>Sign in on another device</h1>
<p>Scan this with your own phone within ${DEVICE_LINK_MINUTES} minutes. It works once. Show it to nobody: it opens your wallet.</p>
${qrPicture(await qrPng(link), 'QR code of a link that signs you in on another device')}
${copyable('Sign-in link', link)}
<p><a class="button" href="/wallet/settings">Done</a></p>
</section>`,
  )
}
