import type { Msats } from '../../lib/money/amount.ts'
import { type Html, type HtmlPart, html, withCode } from '../../lib/web/html.ts'
import type { PoolOverview } from '../../tipping/tipping.ts'
import { ago, momentText } from '../operators-page/time-text.ts'
import { card, consolePage, type Viewer } from './frame.ts'
import type { Named } from './names.ts'

export interface PoolsView {
  readonly viewer: Viewer
  readonly pools: readonly PoolOverview[]
  /** Returns the name of a server; undefined if the bot does not see that server. */
  readonly serverName: (guild: string) => string | undefined
  readonly roleName: (guild: string, role: string) => string | undefined
  readonly named: Named
  readonly testMoney: boolean
  readonly now: number
}

/**
 * Shows each server's pool: its balance, spenders, approvals and schedules. The server's moderators change the pool on
 * Discord.
 */
export function drawPools(view: PoolsView): Html {
  const { viewer, pools } = view
  const { t } = viewer
  const waiting = pools.reduce((sum, { awaitedCount }) => sum + awaitedCount, 0)
  const head = html`<p>${t.html('pools.what')}</p>
${pools.length === 0 ? html`<p>${t('pools.none')}</p>` : html`<p>${waiting === 0 ? t('pools.noneWaits') : t('pools.waits', { count: waiting })}</p>`}`
  return consolePage(
    viewer,
    '/console/pools',
    html`${card(t('pools.title'), head)}${pools.map((pool) => drawPool(view, pool))}`,
  )
}

function drawPool(view: PoolsView, pool: PoolOverview): Html {
  const { viewer, serverName, roleName } = view
  const { t } = viewer
  const { guild, available, reserved, budgets, hasWallet, stopped } = pool
  const name = serverName(guild)
  const sats = (amount: Msats) => t.amount(amount, view.testMoney)
  const limits = budgets.map(
    ({ role, amount, period }) =>
      html`<li>${role === guild ? t('pools.everybody') : t('pools.role', { role: roleName(guild, role) ?? role })}: ${t(`pools.periods.${period}`, { amount: sats(amount) })}</li>`,
  )
  return card(
    name ?? t('pools.unnamed', { guild }),
    html`${name !== undefined && html`<p class="small"><code>${guild}</code></p>`}<dl>
<dt>${t('pools.available')}</dt><dd>${sats(available)}</dd>
<dt>${t('pools.reserved')}</dt><dd>${sats(reserved)}</dd></dl>
${hasWallet && html`<p class="small">${t('pools.wallet')}</p>`}
${part(t('pools.budgets'), limits, t('pools.noBudgets'))}
${part(t('pools.awaited', { count: pool.awaitedCount }), awaitedLines(view, pool))}
${part(t('pools.rules'), ruleLines(view, pool))}
${part(t('pools.schedules'), scheduleLines(view, pool))}
${stopped > 0 && html`<p class="small">${t('pools.stopped', { count: stopped })}</p>`}`,
  )
}

/** Draws a section. If there are no lines, draws the text `none`, or nothing without that text. */
function part(title: string, lines: readonly Html[], none?: string): HtmlPart {
  if (lines.length === 0) return none !== undefined && html`<h3>${title}</h3><p class="small">${none}</p>`
  return html`<h3>${title}</h3><ul>${lines}</ul>`
}

function awaitedLines({ viewer: { t }, testMoney, now, named }: PoolsView, { awaited }: PoolOverview): Html[] {
  return awaited.map(
    ({ kind, amount, requester, reason, since }) =>
      html`<li>${t.amount(amount, testMoney)} · ${t(`pools.kinds.${kind}`)} ${reason !== '' && html`“${reason}”`}<br><span class="small">${t('pools.by', { member: named(requester), time: ago(since.getTime(), now) })}</span></li>`,
  )
}

function ruleLines({ viewer: { t }, testMoney, named }: PoolsView, { rules }: PoolOverview): Html[] {
  const sats = (amount: Msats) => t.amount(amount, testMoney)
  return rules.map(
    ({ recipe, owner, amount, budget, spent, state, trouble }) =>
      html`<li>${t(`pools.recipes.${recipe}`)} · ${t(`pools.states.${state}`)} · ${t('pools.each', { amount: sats(amount) })}<br><span class="small">${t('pools.spent', { spent: sats(spent), budget: sats(budget) })} · ${t('pools.owner', { member: named(owner) })}</span>${troubleOf(t, trouble)}</li>`,
  )
}

function scheduleLines({ viewer: { t }, testMoney, named }: PoolsView, { schedules }: PoolOverview): Html[] {
  return schedules.map(
    ({ what, owner, amount, done, times, nextAt, trouble }) =>
      html`<li>${t(`pools.kinds.${what}`)} · ${t.amount(amount, testMoney)} · ${t('pools.times', { done, times })}<br><span class="small">${nextAt !== undefined && html`${t('pools.next', { when: momentText(nextAt) })} · `}${t('pools.owner', { member: named(owner) })}</span>${troubleOf(t, trouble)}</li>`,
  )
}

/** Explains, from the refusal's code, why a schedule or rule did not pay the last time. */
function troubleOf(t: Viewer['t'], code: string | undefined): HtmlPart {
  if (code === undefined) return undefined
  const budget = code === 'rule-budget-spent' ? 'spent' : code.startsWith('budget-') ? 'owner' : 'other'
  const why = t(`pools.troubles.${code === 'pool-insufficient' ? 'pool' : budget}`)
  return html`<br><span class="bad">${withCode(why)}</span>`
}
