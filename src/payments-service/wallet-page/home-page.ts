import type { FastifyInstance } from 'fastify'
import { ceilToSat, floorToSat, msats } from '../../lib/money/amount.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { OPEN_STATES } from '../engine/sending/payment-record.ts'
import { moment, worthLine } from './frame.ts'
import { showHeldAtBot } from './held-at-bot.ts'
import { type HistoryItem, readWalletHistory } from './history.ts'
import type { Translator } from './i18n/translator.ts'
import { icon } from './icons.ts'
import { addPage, addState, type PageRequest, type WalletPageParts } from './page-request.ts'

const NEWEST = 5
const PAGE = 25

/** Adds the page with the balance and the newest payments, and the page with the whole history. */
export function addHomePages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/', showHome)
  addState(app, wallet, '/state', async (pageRequest) => ({ state: await stateOf(pageRequest) }))
  addPage(app, wallet, '/history', showHistory)
}

async function showHome(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, unit, t, worth } = pageRequest
  const [balance, state, underWay, elsewhere, { items }] = await Promise.all([
    parts.ledger.balance(wallet({ kind: 'user', id: user.id })),
    stateOf(pageRequest),
    readUnderWay(pageRequest),
    showHeldAtBot(pageRequest),
    readWalletHistory(parts, user.id, { limit: NEWEST }, t),
  ])
  return pageRequest.page(
    { title: t('parts.home'), part: 'home', watch: { path: '/wallet/state', state } },
    html`<section class="balance" aria-labelledby="balance">
<h1 id="balance">${t('home.balance')}</h1>
<p class="figure"><b>${t.figure(floorToSat(msats(balance)))}</b> <span>${t.unit(unit)}</span></p>
${worthLine(worth(balance))}
${showUnderWay(underWay, pageRequest)}
${elsewhere}
<p class="hint">${t('home.held')}</p>
</section>
<div class="actions">
<a class="button primary" href="/wallet/receive">${icon('receive')}${t('parts.receive')}</a>
<a class="button" href="/wallet/send">${icon('send')}${t('parts.send')}</a>
<a class="button" href="/wallet/redeem">${icon('voucher')}${t('home.redeem')}</a>
</div>
<section aria-labelledby="latest">
<h2 id="latest">${t('home.latest')}</h2>
${items.length === 0 ? nothingYet(t) : list(items, pageRequest)}
${items.length === NEWEST && html`<p><a href="/wallet/history">${t('home.all')}</a></p>`}
</section>`,
  )
}

async function showHistory(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, query, t } = pageRequest
  const from = Number(query.get('before') ?? Number.NaN)
  const before = Number.isSafeInteger(from) && from > 0 ? from : undefined
  const page = await readWalletHistory(parts, user.id, { limit: PAGE, before }, t)
  return pageRequest.page(
    { title: t('parts.history'), part: 'history' },
    html`<h1>${t('parts.history')}</h1>
${page.items.length === 0 ? nothingYet(t) : list(page.items, pageRequest)}
<p class="pager">${before !== undefined && html`<a href="/wallet/history">${t('home.newest')}</a>`}
${page.before !== undefined && html`<a rel="next" href="/wallet/history?before=${page.before}">${t('home.earlier')}</a>`}</p>`,
  )
}

/** Returns a state that changes whenever a payment arrives, leaves, or gets an outcome. */
async function stateOf(pageRequest: PageRequest): Promise<string> {
  const account = wallet({ kind: 'user', id: pageRequest.user.id })
  const [[line], { count }] = await Promise.all([
    pageRequest.parts.ledger.history(account, { limit: 1 }),
    readUnderWay(pageRequest),
  ])
  return `${line?.id ?? 0}-${count}`
}

/** Counts the payments without an outcome, and adds up the msats reserved for them. */
async function readUnderWay({ parts, user }: PageRequest): Promise<{ readonly count: number; readonly held: bigint }> {
  const { _count, _sum } = await parts.database.read.payment.aggregate({
    where: { payerKind: 'user', payerId: user.id, status: { in: OPEN_STATES } },
    _count: true,
    _sum: { amount: true, maxFee: true },
  })
  return { count: _count, held: (_sum.amount ?? 0n) + (_sum.maxFee ?? 0n) }
}

/** Shows the sum of the payments under way, because the balance does not include it. */
function showUnderWay({ count, held }: { count: number; held: bigint }, { t, unit }: PageRequest): Html | undefined {
  if (count === 0) return undefined
  const text = t('home.underWay', { number: `${count}`, amount: t.amount(ceilToSat(msats(held)), unit) })
  return html`<p class="under-way">${icon('waiting')}<span>${text} <a href="/wallet/history">${t('parts.history')}</a></span></p>`
}

function nothingYet(t: Translator): Html {
  const link = html`<a href="/wallet/receive">${t('home.emptyLink')}</a>`
  return html`<p class="empty">${t.rich('home.empty', { link })}</p>`
}

function list(items: readonly HistoryItem[], pageRequest: PageRequest): Html {
  const { t, worth } = pageRequest
  const valued = items.some(({ amount }) => worth(amount) !== undefined)
  return html`<ol class="history">${items.map((item) => row(item, pageRequest))}</ol>${valued && html`<p class="hint">${t('home.worth')}</p>`}`
}

const STATE_WORDS = { done: undefined, waiting: 'home.waiting', failed: 'home.failed' } as const

function row(item: HistoryItem, { t, unit, worth }: PageRequest): Html {
  const { state, incoming, amount, fee, via } = item
  const value = worth(amount)
  const drawing = state === 'done' ? (item.kind === 'voucher' ? 'voucher' : incoming ? 'receive' : 'send') : state
  const words = STATE_WORDS[state]
  // Nothing left the wallet.
  const sign = state === 'failed' ? '' : incoming ? '+' : '−'
  const title = item.path === undefined ? html`<b>${item.title}</b>` : html`<a href="${item.path}">${item.title}</a>`
  return html`<li class="${state}${incoming && ' incoming'}">${icon(drawing)}
<div class="what">${title}${item.note !== '' && html`<q dir="auto">${item.note}</q>`}<small>${moment(item.at, t.code)}${words !== undefined && html` · ${t(words)}`}${via !== undefined && html` · <bdi>${via}</bdi>`}</small></div>
<div class="sum"><b dir="ltr">${sign}${t.figure(amount)}</b><small>${fee !== undefined && fee > 0n ? t('home.fee', { amount: t.figure(ceilToSat(msats(fee))) }) : t.unit(unit)}</small>${value !== undefined && html`<small><bdi dir="ltr">${value}</bdi></small>`}</div></li>`
}
