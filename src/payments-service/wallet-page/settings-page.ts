import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/html.ts'
import { qrPng } from '../../lib/qr.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { addressOf } from '../receiving/payable-name.ts'
import { ServiceRefusal } from '../service-refusal.ts'
import { renameUser } from '../users/gamertags.ts'
import { newSignInToken, signInLink } from '../users/sign-in-token.ts'
import { alert, copyable, facts, qrPicture } from './frame.ts'
import { signOut, signOutEverywhere } from './session.ts'
import { addForm, addLeavingForm, addPage, type Visit, type WalletDesk } from './visit.ts'

/** The link for another device is opened at once or not at all. */
const DEVICE_LINK_MINUTES = 10

/** The gamertag, the devices that are signed in, and signing out. */
export function addSettingsPages(app: FastifyInstance, desk: WalletDesk): void {
  addPage(app, desk, '/settings', (visit) => showSettings(visit))
  addForm(app, desk, '/rename', rename, showSettings)
  addForm(app, desk, '/device', showDeviceLink)
  addLeavingForm(app, desk, '/sign-out', async (visit) => {
    await signOut(visit.parts, visit.session.token)
    desk.cookie.clear(visit.reply)
    return '/wallet/signed-out'
  })
  addLeavingForm(app, desk, '/sign-out-everywhere', async (visit) => {
    await signOutEverywhere(visit.parts, visit.user.id)
    desk.cookie.clear(visit.reply)
    return '/wallet/signed-out'
  })
}

function showSettings(visit: Visit, problem?: string): Html {
  const { parts, user, form } = visit
  return visit.page(
    { title: 'Settings', part: 'settings' },
    html`<h1>Settings</h1>
${alert(problem)}
<section class="card" aria-labelledby="name">
<h2 id="name">Your gamertag</h2>
${facts([
  ['Gamertag', html`<b>${user.gamertag}</b>`],
  ['Lightning Address', addressOf(parts, user.gamertag)],
])}
<form method="post" action="/wallet/rename">${visit.formFields()}
<label>New gamertag<input name="gamertag" value="${form.get('gamertag')}" minlength="3" maxlength="30" pattern="[A-Za-z0-9_\\-]{3,30}" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">3 to 30 letters, digits, underscores or hyphens. Your balance and your history stay yours; your Lightning Address changes with the name. ${whatBecomesOfOldName(visit)}</p>
<button>Rename</button>
</form>
</section>
<section class="card" aria-labelledby="devices">
<h2 id="devices">Your devices</h2>
<p>Open this wallet on your phone or another computer with a link that works once, for ${DEVICE_LINK_MINUTES} minutes.</p>
<form method="post" action="/wallet/device">${visit.formFields()}<button>Sign in on another device</button></form>
<form method="post" action="/wallet/sign-out">${visit.formFields()}<button>Sign out here</button></form>
<form method="post" action="/wallet/sign-out-everywhere">${visit.formFields()}<button>Sign out on all devices</button></form>
<p class="hint">Coming back needs a new sign-in link from whoever runs this service. Links for other devices that were not opened yet stop working when you sign out on all devices.</p>
</section>`,
  )
}

function whatBecomesOfOldName({ parts }: Visit): string {
  const days = parts.settings.gamertagReservedDays
  const freed = 'Payments to the old name stop reaching you, and'
  if (days === 0) return `${freed} anybody may take it at once.`
  return `${freed} nobody else can take it for ${days} ${days === 1 ? 'day' : 'days'}; until then you can have it back.`
}

async function rename(visit: Visit): Promise<string> {
  const { parts, user, form } = visit
  const gamertag = (form.get('gamertag') ?? '').trim()
  if (!operations.payToGamertag.body.shape.gamertag.safeParse(gamertag).success) {
    throw new ServiceRefusal('invalid_field', 'A gamertag has 3 to 30 letters, digits, underscores or hyphens.')
  }
  await parts.ledger.commit({ write: (tx) => renameUser(parts, tx, user.id, gamertag) })
  return '/wallet/settings'
}

async function showDeviceLink(visit: Visit): Promise<Html> {
  const { parts, user } = visit
  const { token, row } = newSignInToken(parts, user.id, DEVICE_LINK_MINUTES * 60)
  await parts.ledger.commit({ rows: [row] })
  const link = signInLink(parts, token)
  return visit.page(
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
