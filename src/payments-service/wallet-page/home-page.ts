import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/http/html.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import type { Unit } from '../machines/node/unit.ts'
import { OPEN_STATES } from '../machines/sending/payment-record.ts'
import { inWords, moment } from './frame.ts'
import { type HistoryItem, readWalletHistory } from './history.ts'
import { icon } from './icons.ts'
import { addPage, addState, type PageRequest, type WalletPageParts } from './page-request.ts'

const NEWEST = 5
const PAGE = 25

/** The balance with what moved last, and the whole history. */
export function addHomePages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/', showHome)
  addState(app, wallet, '/state', async (pageRequest) => ({ state: await stateOf(pageRequest) }))
  addPage(app, wallet, '/history', showHistory)
}

async function showHome(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, unit } = pageRequest
  const [balance, state, underWay, { items }] = await Promise.all([
    parts.ledger.balance(wallet({ kind: 'user', id: user.id })),
    stateOf(pageRequest),
    readUnderWay(pageRequest),
    readWalletHistory(parts, user.id, { limit: NEWEST }),
  ])
  return pageRequest.page(
    { title: 'Wallet', part: 'home', watch: { path: '/wallet/state', state } },
    html`<section class="balance" aria-labelledby="balance">
<h1 id="balance">Your balance</h1>
<p class="figure"><b>${formatSats(balance)}</b> <span>${unit}</span></p>
${showUnderWay(underWay, unit)}
</section>
<div class="actions">
<a class="button primary" href="/wallet/receive">${icon('receive')}Receive</a>
<a class="button" href="/wallet/send">${icon('send')}Send</a>
<a class="button" href="/wallet/redeem">${icon('voucher')}Redeem a voucher</a>
</div>
<section aria-labelledby="latest">
<h2 id="latest">Latest</h2>
${items.length === 0 ? nothingYet() : list(items, unit)}
${items.length === NEWEST && html`<p><a href="/wallet/history">All of your history</a></p>`}
</section>`,
  )
}

async function showHistory(pageRequest: PageRequest): Promise<Html> {
  const { parts, user, unit, query } = pageRequest
  const from = Number(query.get('before') ?? Number.NaN)
  const before = Number.isSafeInteger(from) && from > 0 ? from : undefined
  const page = await readWalletHistory(parts, user.id, { limit: PAGE, before })
  return pageRequest.page(
    { title: 'History', part: 'history' },
    html`<h1>History</h1>
${page.items.length === 0 ? nothingYet() : list(page.items, unit)}
<p class="pager">${before !== undefined && html`<a href="/wallet/history">Newest</a>`}
${page.before !== undefined && html`<a rel="next" href="/wallet/history?before=${page.before}">Earlier</a>`}</p>`,
  )
}

/** Changes whenever money came, went, or found its end. */
async function stateOf(pageRequest: PageRequest): Promise<string> {
  const account = wallet({ kind: 'user', id: pageRequest.user.id })
  const [[line], { count }] = await Promise.all([
    pageRequest.parts.ledger.history(account, { limit: 1 }),
    readUnderWay(pageRequest),
  ])
  return `${line?.id ?? 0}-${count}`
}

/** The payments whose end is not known yet, and what is set aside for them, in msats. */
async function readUnderWay({ parts, user }: PageRequest): Promise<{ readonly count: number; readonly held: bigint }> {
  const { _count, _sum } = await parts.database.read.payment.aggregate({
    where: { payerKind: 'user', payerId: user.id, status: { in: OPEN_STATES } },
    _count: true,
    _sum: { amount: true, maxFee: true },
  })
  return { count: _count, held: (_sum.amount ?? 0n) + (_sum.maxFee ?? 0n) }
}

/** What is in flight is not in the balance; where it is must not be a riddle. */
function showUnderWay({ count, held }: { count: number; held: bigint }, unit: Unit): Html | undefined {
  if (count === 0) return undefined
  const what = count === 1 ? 'A payment is' : `${count} payments are`
  return html`<p class="under-way">${icon('waiting')}<span>${what} under way. ${inWords(held, unit)} are set aside for it, the largest possible fee included; what is not needed comes back. <a href="/wallet/history">See history</a></span></p>`
}

function nothingYet(): Html {
  return html`<p class="empty">Nothing has come in yet. <a href="/wallet/receive">Show somebody your Lightning Address</a>, and what they send appears here.</p>`
}

function list(items: readonly HistoryItem[], unit: Unit): Html {
  return html`<ol class="history">${items.map((item) => row(item, unit))}</ol>`
}

const STATE_WORDS = { done: undefined, waiting: 'under way', failed: 'failed, nothing was paid' }

function row(item: HistoryItem, unit: Unit): Html {
  const { state, incoming, amount, fee } = item
  const drawing = state === 'done' ? (item.kind === 'voucher' ? 'voucher' : incoming ? 'receive' : 'send') : state
  const words = STATE_WORDS[state]
  const title = item.path === undefined ? html`<b>${item.title}</b>` : html`<a href="${item.path}">${item.title}</a>`
  return html`<li class="${state}${incoming && ' incoming'}">${icon(drawing)}
<div class="what">${title}${item.note !== '' && html`<q>${item.note}</q>`}<small>${moment(item.at)}${words !== undefined && html` · ${words}`}</small></div>
<div class="sum"><b>${incoming ? '+' : '−'}${formatSats(amount)}</b><small>${fee !== undefined && fee > 0n ? `${formatSats(fee)} fee` : unit}</small></div></li>`
}
