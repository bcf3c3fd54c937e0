import { inlineCode } from 'discord.js'
import {
  type Audit,
  type BookingView,
  type DecidableKind,
  type OpenProposal,
  type Pause,
  type PaymentOutcome,
  type ProposedDecision,
  TippingRefusal,
  type UnknownPayment,
} from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options, Suggestion, Typing } from '../interactions/command.ts'
import type { Message } from '../messages/message.ts'
import { colour, cut, fitting, mention, panel, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { linkButton } from '../pay-pages/links.ts'

const MAX_SHOWN = 8
const MAX_SUGGESTED = 25
/** The maximum length of a choice's name. */
const MAX_NAME = 100
/** The maximum length of the list of faults, which leaves room for the lines below the list. */
const MAX_FAULTS_LENGTH = 2_500

export const adminPage = {
  name: 'admin page',
  answer: 'private',
  where: 'home',
  options: {},
  async run({ member, memberName, links, t }: Call) {
    const link = await links.operators({ id: member, name: memberName })
    const title = t('admin.page.title')
    if (link === undefined) return { say: { embeds: [panel(colour.refused, t('admin.page.none'), { title })] } }
    if (link.onTheWeb) {
      const buttons = [linkButton(link.url, t('admin.page.open'), '📈')]
      return { say: { embeds: [panel(colour.satchel, t('admin.page.once'), { title })], buttons } }
    }
    const text = [t('admin.page.once'), t('admin.page.here'), link.url]
    return { say: { embeds: [panel(colour.satchel, text, { title })] } }
  },
} satisfies Command

export const adminAudit = {
  name: 'admin audit',
  answer: 'private',
  where: 'home',
  options: {},
  async run({ tipping, t }: Call) {
    return { say: auditMessage(await tipping.administration.audit(), t) }
  },
} satisfies Command

export const adminUnknown = {
  name: 'admin unknown',
  answer: 'private',
  where: 'home',
  options: {},
  async run({ tipping, t }: Call) {
    const payments = await tipping.administration.unknown(MAX_SHOWN + 1)
    const title = t('admin.unknown')
    if (payments.length === 0) return { say: { embeds: [panel(colour.done, t('admin.nothing'), { title })] } }
    const texts = payments.slice(0, MAX_SHOWN).map((payment) => paymentText(payment, t))
    const lines = fitting(texts, '\n\n')
    const footer = payments.length > lines.length ? t('admin.more') : undefined
    return { say: { embeds: [panel(colour.inFlight, lines.join('\n\n'), { title, footer })] } }
  },
} satisfies Command

const decideOptions = {
  payment: { kind: 'text', required: true, suggest },
  outcome: { kind: 'text', required: true, choices: ['paid', 'failed'] },
  reason: { kind: 'text', required: true, longest: 300 },
  amount: { kind: 'text', longest: 30 },
} as const satisfies Options

export const adminDecide = {
  name: 'admin decide',
  answer: 'private',
  where: 'home',
  options: decideOptions,
  async run({ member, options, tipping, t }: Call<typeof decideOptions>) {
    const { state, kind, ...decided } = await tipping.administration.decide({ ...options, operator: member })
    const { amount, dueAt } = decided
    const outcome = outcomeText(kind, decided.outcome, t)
    const text =
      state === 'proposed' && dueAt !== undefined
        ? aloneText([amount === undefined ? '' : t.amount(amount), outcome], dueAt, t)
        : amount !== undefined
          ? t(`admin.${state}`, { amount, outcome })
          : t(state === 'proposed' ? 'admin.ended' : 'admin.endedDone', { outcome })
    return { say: { embeds: [panel(state === 'done' ? colour.done : colour.inFlight, text)] } }
  },
} satisfies Command<typeof decideOptions>

const bookOptions = {
  what: { kind: 'text', required: true, choices: ['top-up', 'take-out'] },
  amount: { kind: 'text', required: true, longest: 30 },
  reason: { kind: 'text', required: true, longest: 300 },
} as const satisfies Options

export const adminBook = {
  name: 'admin book',
  answer: 'private',
  where: 'home',
  options: bookOptions,
  async run({ member, options, tipping, t }: Call<typeof bookOptions>) {
    return { say: bookingMessage(await tipping.administration.book({ ...options, operator: member }), t) }
  },
} satisfies Command<typeof bookOptions>

const suspenseOptions = {
  amount: { kind: 'text', required: true, longest: 30 },
  reason: { kind: 'text', required: true, longest: 300 },
  member: { kind: 'member' },
} as const satisfies Options

export const adminSuspense = {
  name: 'admin suspense',
  answer: 'private',
  where: 'home',
  options: suspenseOptions,
  async run({ member, options: { amount, reason, member: whose }, tipping, t }: Call<typeof suspenseOptions>) {
    if (whose?.bot) throw new TippingRefusal('tip-to-bot', {})
    const booked = { what: 'suspense', amount, reason, member: whose?.id, operator: member } as const
    return { say: bookingMessage(await tipping.administration.book(booked), t) }
  },
} satisfies Command<typeof suspenseOptions>

const cancelOptions = {
  proposal: { kind: 'text', required: true, suggest: suggestProposals },
} as const satisfies Options

/** Cancels a proposal that waits for a second operator or has not taken effect yet. */
export const adminCancel = {
  name: 'admin cancel',
  answer: 'private',
  where: 'home',
  options: cancelOptions,
  async run({ member, options, tipping, t }: Call<typeof cancelOptions>) {
    await tipping.administration.cancel({ ...options, operator: member })
    return { say: { embeds: [panel(colour.done, t('admin.cancelled'))] } }
  },
} satisfies Command<typeof cancelOptions>

const pauseOptions = { reason: { kind: 'text', required: true, longest: 300 } } as const satisfies Options

export const adminPause = {
  name: 'admin pause',
  answer: 'private',
  where: 'home',
  options: pauseOptions,
  async run({ member, options: { reason }, tipping, t }: Call<typeof pauseOptions>) {
    await tipping.administration.pause({ operator: member, reason })
    return { say: { embeds: [panel(colour.inFlight, t('admin.paused'))] } }
  },
} satisfies Command<typeof pauseOptions>

export const adminResume = {
  name: 'admin resume',
  answer: 'private',
  where: 'home',
  options: {},
  async run({ member, tipping, t }: Call) {
    const still = await tipping.administration.resume({ operator: member })
    if (still === undefined) return { say: { embeds: [panel(colour.done, t('admin.resumed'))] } }
    return { say: { embeds: [panel(colour.refused, [t('admin.stillPaused'), pauseText(still, t)])] } }
  },
} satisfies Command

const unlinkOptions = {
  wallet: { kind: 'text', required: true, longest: 100 },
  reason: { kind: 'text', required: true, longest: 300 },
} as const satisfies Options

/** Ends a link to somebody else's wallet, for an owner who cannot prove the ownership to the bot. */
export const adminUnlink = {
  name: 'admin unlink',
  answer: 'private',
  where: 'home',
  options: unlinkOptions,
  async run({ member, options, tipping, t }: Call<typeof unlinkOptions>) {
    const { gamertag } = await tipping.links.release({
      gamertag: options.wallet,
      reason: options.reason,
      operator: member,
    })
    return { say: { embeds: [panel(colour.done, t('admin.unlinked', { gamertag: quotable(gamertag) }))] } }
  },
} satisfies Command<typeof unlinkOptions>

/**
 * Formats an operator: a mention for somebody on Discord, otherwise the name of somebody at the machine that runs the
 * bot.
 */
function personIn(id: string): string {
  return /^\d+$/.test(id) ? mention(id) : inlineCode(quotable(id))
}

/** Describes a single operator's decision that takes effect after a delay. */
function aloneText(what: readonly string[], dueAt: Date, t: Translator): string {
  return t('admin.alone', { what: what.filter((part) => part !== '').join(', '), when: relative(dueAt) })
}

function bookingMessage({ state, what, amount, member, dueAt }: BookingView, t: Translator): Message {
  const who = member === undefined ? t('admin.theOperator') : mention(member)
  const told = t(`admin.bookings.${what}`, { who })
  const text =
    state === 'proposed' && dueAt !== undefined
      ? aloneText([t.amount(amount), told], dueAt, t)
      : t(`admin.booked.${state}`, { amount, what: told })
  return { embeds: [panel(state === 'done' ? colour.done : colour.inFlight, text)] }
}

/** Explains why payments are paused, and what ends the pause. */
function pauseText({ source, reason }: Pause, t: Translator): string {
  const why = t(`status.paused.${source}`, { reason: quotable(reason, 300) })
  return `${why} ${t(source === 'operator' ? 'admin.pauseEnds.operator' : 'admin.pauseEnds.audit')}`
}

/** Describes the outcome of a record of this kind. */
function outcomeText(kind: DecidableKind, outcome: PaymentOutcome, t: Translator): string {
  return kind === 'payout' || kind === 'withdrawal'
    ? t(`admin.outcomes.${outcome}`)
    : t(`admin.ends.${kind}.${outcome}`)
}

function proposedText(kind: DecidableKind, { outcome, amount }: ProposedDecision, t: Translator): string {
  const text = outcomeText(kind, outcome, t)
  return amount === undefined ? text : `${text} (${t.amount(amount)})`
}

function auditMessage(audit: Audit, t: Translator): Message {
  const { holds, faults, owed, expected, wallet, mayHaveLeft, mayHaveArrived, operator, suspense } = audit
  const told = faults.map((fault) => `- ${quotable(fault, 300)}`)
  const shown = fitting(told, '\n', MAX_FAULTS_LENGTH)
  const lines = [
    t(holds ? 'admin.audit.holds' : 'admin.audit.broken'),
    ...shown,
    shown.length < faults.length ? '…' : '',
    t('admin.audit.owed', { amount: owed }),
    t('admin.audit.expected', { amount: expected, left: mayHaveLeft, arrived: mayHaveArrived }),
    wallet === undefined ? t('admin.audit.unreachable') : t('admin.audit.wallet', { amount: wallet }),
    operator < 0n
      ? t('admin.audit.operatorOwes', { amount: -operator })
      : t('admin.audit.operator', { amount: operator }),
    ...(suspense > 0n ? [t('admin.audit.suspense', { amount: suspense })] : []),
    t('admin.audit.open', { count: audit.openOperations }),
    ...audit.paused.map((pause) => pauseText(pause, t)),
  ]
  return { embeds: [panel(holds ? colour.done : colour.refused, lines, { title: t('admin.audit.title') })] }
}

function paymentText(
  { kind, id, member, amount, to, since, evidence, ...more }: UnknownPayment,
  t: Translator,
): string {
  const { remoteId, proposal, decided } = more
  const lines = [
    t(`admin.kinds.${kind}`, { amount: amount ?? '', who: mention(member), when: relative(since) }),
    inlineCode(id),
    to === '' ? '' : t('admin.to', { to: quotable(to, 80) }),
    evidence === '' ? '' : t('admin.evidence', { evidence: quotable(evidence, 200) }),
    remoteId === undefined ? '' : t('admin.remoteId', { id: quotable(remoteId, 80) }),
    proposal === undefined
      ? ''
      : t(proposal.dueAt === undefined ? 'admin.proposal' : 'admin.proposalAlone', {
          ...(proposal.dueAt !== undefined && { when: relative(proposal.dueAt) }),
          by: personIn(proposal.by),
          outcome: proposedText(kind, proposal, t),
          reason: quotable(proposal.reason, 200),
        }),
    decided === undefined ? '' : t('admin.decided', { outcome: outcomeText(kind, decided, t) }),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

async function suggest({ tipping, t, typed, at }: Typing): Promise<Suggestion[]> {
  const payments = await tipping.administration.unknown(MAX_SUGGESTED)
  const wanted = typed.trim().toLowerCase()
  return payments
    .map(({ kind, id, amount, since }) => ({
      name: t('admin.name', {
        amount: amount ?? '?',
        kind: t(`admin.short.${kind}`),
        since: t.fromNow(since, at),
        id: id.slice(-8),
      }),
      value: id,
    }))
    .filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === wanted)
}

async function suggestProposals({ tipping, t, typed }: Typing): Promise<Suggestion[]> {
  const wanted = typed.trim().toLowerCase()
  return (await tipping.administration.proposals(MAX_SUGGESTED))
    .map((proposal) => proposalChoice(proposal, t))
    .filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === wanted)
    .slice(0, MAX_SUGGESTED)
}

/** Formats a proposed day, which begins at midnight UTC. */
function day(date: Date, t: Translator): string {
  return new Intl.DateTimeFormat(t.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

function proposalChoice(proposal: OpenProposal, t: Translator): Suggestion {
  if (proposal.about === 'booking') {
    const { id, what, amount, member } = proposal.booking
    const who = member ?? t('admin.theOperator')
    return { name: cut(`${t.amount(amount)}, ${t(`admin.bookings.${what}`, { who })}`, MAX_NAME), value: id }
  }
  if (proposal.about === 'wind-down') {
    return { name: cut(t('admin.windDown.what', { when: day(proposal.ends, t) }), MAX_NAME), value: proposal.id }
  }
  const { id, kind, outcome, amount } = proposal.decision
  const parts = [amount === undefined ? '' : t.amount(amount), t(`admin.short.${kind}`), outcomeText(kind, outcome, t)]
  return { name: cut(parts.filter((part) => part !== '').join(', '), MAX_NAME), value: id }
}
