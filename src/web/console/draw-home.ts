import type { Msats } from '../../lib/money/amount.ts'
import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import type { OpenProposal, UnknownPayment } from '../../tipping/tipping.ts'
import type { OperatorsFigures } from '../operators-page/figures.ts'
import { ago, moment, momentText } from '../operators-page/time-text.ts'
import { type Need, whatNeedsThem } from '../operators-page/what-needs-them.ts'
import {
  actionForm,
  card,
  choiceField,
  consolePage,
  type Outcome,
  outcome,
  type Refused,
  textField,
  type Viewer,
} from './frame.ts'
import type { Named } from './names.ts'

const MAX_REASON = 300
const MAX_AMOUNT = 30

export interface HomeView extends Outcome {
  readonly viewer: Viewer
  /** The id under which the books know the viewer. */
  readonly operator: string
  readonly figures: OperatorsFigures
  readonly proposals: readonly OpenProposal[]
  /** Whether proposed settings, which have a separate page, wait for a decision. */
  readonly settingsWait: boolean
  readonly named: Named
  readonly isAlone: boolean
  readonly now: number
}

/** Draws the page that lists what needs an operator, each matter with its remedy. */
export function drawHome(view: HomeView): Html {
  const { viewer } = view
  return consolePage(
    viewer,
    '/console',
    html`${outcome(viewer, view)}
${needs(view)}
${outgoing(view)}
${unknown(view)}
${waiting(view)}
${book(view)}
${state(view)}`,
  )
}

function needs({ viewer, figures, proposals: all, settingsWait }: HomeView): Html {
  const proposals = all.filter(isShown)
  const { t } = viewer
  const lines: HtmlPart[] = whatNeedsThem(figures).map((need) => needed(viewer, need))
  if (proposals.length > 0)
    lines.push(line(t('needs.waiting', { count: proposals.length }), html`<a href="#proposals">${t('needs.see')}</a>`))
  if (settingsWait)
    lines.push(line(t('needs.settings'), html`<a href="/console/settings">${t('needs.openSettings')}</a>`))
  if (lines.length === 0) return html`<section class="card"><p class="verdict good">${t('needs.nothing')}</p></section>`
  return html`<section class="card"><p class="verdict bad">${t('needs.title', { count: lines.length })}</p><ul class="list">${lines}</ul></section>`
}

function needed(viewer: Viewer, { what, next, action }: Need): Html {
  const { t } = viewer
  if (action === 'audit') return line(what, actionForm(viewer, { action, button: t('needs.audit') }))
  if (action === 'resume') return line(what, actionForm(viewer, { action, button: t('needs.resume') }))
  if (action === 'redeliver') return line(what, actionForm(viewer, { action, button: t('needs.redeliver') }))
  if (action === 'decide') return line(what, html`<a href="#unknown">${t('needs.see')}</a>`)
  if (action === 'suspense') return line(what, html`<a href="#book">${t('needs.see')}</a>`)
  return line(`${what} ${next}`, undefined)
}

function line(text: string, does: HtmlPart): Html {
  return html`<li class="needed"><span>${text}</span>${does}</li>`
}

function outgoing({ viewer, figures, refused }: HomeView): Html {
  const { t } = viewer
  const { pauses } = figures.bot
  const title = t('outgoing.title')
  if (pauses.length === 0) {
    const fields = textField({
      ...{ id: 'pause-reason', name: 'reason', label: t('outgoing.reason'), most: MAX_REASON, required: true },
      value: valuesOf(refused, 'pause', {})?.get('reason') ?? '',
    })
    return card(
      title,
      html`<p class="good">${t('outgoing.allowed')}</p><p class="small">${t('outgoing.advice')}</p>
${actionForm(viewer, { action: 'pause', fields, button: t('outgoing.pause') })}`,
    )
  }
  const shown = pauses.map(({ source, reason }) => {
    const does =
      source === 'operator'
        ? actionForm(viewer, { action: 'resume', button: t('outgoing.resume') })
        : html`<p class="small">${t('outgoing.byAudit')}</p>`
    return html`<p class="bad">${t('outgoing.paused')} “${reason}”</p>${does}`
  })
  return card(title, shown)
}

function unknown(view: HomeView): Html {
  const { viewer, figures, isAlone } = view
  const { t } = viewer
  const { length } = figures.bot.unknown
  const content =
    length === 0
      ? html`<p class="good">${t('unknown.none')}</p>`
      : html`<p class="small">${t(isAlone ? 'unknown.adviceAlone' : 'unknown.advice')}</p><ul class="list">${figures.bot.unknown.map((payment) => unknownPayment(view, payment))}</ul>`
  return card(t('unknown.title'), content, 'unknown')
}

function unknownPayment({ viewer, figures, now, refused, named }: HomeView, payment: UnknownPayment): Html {
  const { t } = viewer
  const { id, kind, amount, member, to, since, evidence, proposal } = payment
  const kept = valuesOf(refused, 'decide', { payment: id })
  const fields = [
    choiceField({ name: 'outcome', legend: t('unknown.outcome'), chosen: kept?.get('outcome') ?? undefined }, [
      ['paid', t(`unknown.outcomes.${kind}.paid`)],
      ['failed', t(`unknown.outcomes.${kind}.failed`)],
    ]),
    kind === 'redemption' &&
      textField({
        ...{ id: `amount-${id}`, name: 'amount', label: t('unknown.brought'), most: MAX_AMOUNT, numeric: true },
        value: kept?.get('amount') ?? '',
      }),
    textField({
      ...{ id: `reason-${id}`, name: 'reason', label: t('unknown.reason'), most: MAX_REASON, required: true },
      value: kept?.get('reason') ?? '',
    }),
  ]
  const title = amount === undefined ? t('unknown.amount') : t.amount(amount, figures.testMoney)
  return html`<li><b>${title}</b> · ${t(`unknown.kinds.${kind}`)} · ${t('unknown.for', { time: ago(since.getTime(), now) })}
<div class="small">${t('unknown.member', { member: named(member) })} ${to !== '' && t('unknown.to', { to })}<br><code>${id}</code>${evidence !== '' && html`<br>${evidence}`}</div>
${
  proposal !== undefined &&
  html`<p>${t('unknown.says', { by: named(proposal.by), outcome: t(`unknown.outcomes.${kind}.${proposal.outcome}`), reason: proposal.reason })}</p>`
}
${actionForm(viewer, { action: 'decide', hidden: { payment: id }, fields, button: t('unknown.decide') })}</li>`
}

function waiting(view: HomeView): HtmlPart {
  const { viewer } = view
  const { t } = viewer
  const proposals = view.proposals.filter(isShown)
  if (proposals.length === 0) return undefined
  return card(
    t('proposals.title'),
    html`<ul class="list">${proposals.map((each) => proposed(view, each))}</ul>`,
    'proposals',
  )
}

/**
 * The proposals that this page shows. It leaves out a proposal to end the bot, because operators decide about that on
 * Discord or at the machine.
 */
type Shown = Exclude<OpenProposal, { readonly about: 'wind-down' }>

function isShown(proposal: OpenProposal): proposal is Shown {
  return proposal.about !== 'wind-down'
}

function proposed(view: HomeView, proposal: Shown): Html {
  const { viewer, now, operator, refused, named } = view
  const { t } = viewer
  const { by, reason, at } = proposal
  const { id, dueAt, action, hidden, title } = inParts(view, proposal)
  const kept = valuesOf(refused, action, hidden)
  const fields = textField({
    ...{ id: `agree-${id}`, name: 'reason', label: t('proposals.reason'), most: MAX_REASON, required: true },
    value: kept?.get('reason') ?? '',
  })
  const agree =
    by === operator
      ? html`<p class="small">${t('proposals.yours')}</p>`
      : actionForm(viewer, { action, hidden, fields, button: t('proposals.agree') })
  return html`<li><b>${title}</b>
<p class="small">${t('proposals.by', { by: named(by), time: ago(at.getTime(), now), reason })}<br>
${dueAt === undefined ? t('proposals.second') : t('proposals.due', { when: momentText(dueAt) })}</p>
${agree}${actionForm(viewer, { action: 'cancel', hidden: { proposal: id }, button: t('proposals.cancel') })}</li>`
}

/**
 * Describes a proposal, with the hidden fields of a form that makes the same proposal again. Its amount is exact to the
 * msat, because any other amount would be another proposal.
 */
function inParts({ viewer, figures, named }: HomeView, proposal: Shown) {
  const { t } = viewer
  const sats = (amount: Msats) => t.amount(amount, figures.testMoney)
  if (proposal.about === 'booking') {
    const { id, what, amount, member, dueAt } = proposal.booking
    const who = member === undefined ? t('proposals.operator') : named(member)
    const hidden = { what, amount: `${amount} msats`, member: member ?? '' }
    return { id, dueAt, action: 'book', hidden, title: t(`proposals.${what}`, { amount: sats(amount), who }) }
  }
  const { id, payment, kind, outcome, amount, dueAt } = proposal.decision
  const hidden = { payment, outcome, amount: amount === undefined ? '' : `${amount} msats` }
  const parts = [amount === undefined ? '' : sats(amount), t(`unknown.kinds.${kind}`)]
  const title = `${parts.filter(Boolean).join(' · ')}: ${t(`unknown.outcomes.${kind}.${outcome}`)}`
  return { id, dueAt, action: 'decide', hidden, title }
}

function book({ viewer, figures, isAlone, refused }: HomeView): HtmlPart {
  const { t, access } = viewer
  const { suspense, operator } = figures.bot
  const sats = (amount: Msats) => t.amount(amount, figures.testMoney)
  const kept = valuesOf(refused, 'book', {})
  const value = (name: string) => kept?.get(name) ?? ''
  const fields = [
    choiceField({ name: 'what', legend: t('book.what'), chosen: value('what') }, [
      ['top-up', t('book.top-up')],
      ['take-out', t('book.take-out')],
      ['suspense', t('book.give')],
    ]),
    textField({
      ...{
        id: 'book-amount',
        name: 'amount',
        label: t('book.amount'),
        most: MAX_AMOUNT,
        required: true,
        numeric: true,
      },
      value: value('amount'),
    }),
    textField({ id: 'book-member', name: 'member', label: t('book.member'), most: 20, value: value('member') }),
    textField({
      ...{ id: 'book-reason', name: 'reason', label: t('book.reason'), most: MAX_REASON, required: true },
      value: value('reason'),
    }),
  ]
  const form =
    access === 'operator' &&
    html`<details${kept !== undefined && html` open`}><summary>${t(isAlone ? 'book.adviceAlone' : 'book.advice')}</summary>
${actionForm(viewer, { action: 'book', fields, button: t('book.button') })}</details>`
  return card(
    t('book.title'),
    html`<p>${t('book.suspense', { amount: sats(suspense), own: sats(operator) })}</p>${form}`,
    'book',
  )
}

function state({ viewer, figures, now }: HomeView): Html {
  const { t } = viewer
  const { bot, service, testMoney } = figures
  const { proven } = bot.status
  const sats = (amount: Msats | undefined) => (amount === undefined ? '–' : t.amount(amount, testMoney))
  const audit =
    proven === undefined
      ? t('state.none')
      : t(proven.holds ? 'state.right' : 'state.wrong', { time: ago(proven.at.getTime(), now) })
  return card(
    t('state.title'),
    html`<dl>
<dt>${t('state.owed')}</dt><dd>${sats(proven?.owed)}</dd>
<dt>${t('state.wallet')}</dt><dd>${sats(proven?.wallet)}</dd>
<dt>${t('state.audit')}</dt><dd class="${proven?.holds === false ? 'bad' : ''}">${audit}${proven !== undefined && html` · ${moment(proven.at)}`}</dd>
${
  service !== undefined &&
  html`<dt>${t('state.node')}</dt><dd class="${service.node.ready ? 'good' : 'bad'}">${t(service.node.ready ? 'state.works' : 'state.trouble')}</dd>
<dt>${t('state.callbacks')}</dt><dd>${service.callbacks.deadLettered}</dd>`
}</dl>
${actionForm(viewer, { action: 'audit', button: t('needs.audit') })}
<p><a href="/operators">${t('state.more')}</a></p>`,
  )
}

/** Returns the entries of the refused form, if it has this action and these hidden values. */
function valuesOf(
  refused: Refused | undefined,
  action: string,
  hidden: Readonly<Record<string, string>>,
): URLSearchParams | undefined {
  if (refused === undefined || refused.action !== action) return undefined
  return Object.entries(hidden).every(([name, value]) => refused.form.get(name) === value) ? refused.form : undefined
}
