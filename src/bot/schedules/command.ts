import { channelMention } from 'discord.js'
import { MAX_REWARD_REASON, MAX_TIMES, SCHEDULED, type ScheduleView } from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options, Suggestion, Typing } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { colour, fitting, mention, moment, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { optionUnused } from '../refusals/option-unused.ts'
import { shortfalls } from '../spending/shortfalls.ts'

const forModerators = { answer: 'private', where: 'server', moderators: true } as const
const WEEKDAYS = ['daily', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const DEFAULT_MINUTES = 60
/** The longest time, in minutes, for which a scheduled drop or giveaway is open. */
const MAX_MINUTES = 7 * 24 * 60

const createOptions = {
  kind: { kind: 'text', required: true, choices: SCHEDULED },
  weekday: { kind: 'text', required: true, choices: WEEKDAYS },
  time: { kind: 'text', required: true, longest: 10 },
  times: { kind: 'whole', required: true, smallest: 1, largest: MAX_TIMES },
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  people: { kind: 'whole', required: true, smallest: 1, largest: 50 },
  reason: { kind: 'text', required: true, longest: MAX_REWARD_REASON },
  minutes: { kind: 'whole', smallest: 1, largest: MAX_MINUTES },
  zone: { kind: 'text', longest: 60, suggest: suggestZones },
} as const satisfies Options

export const scheduleCreate = {
  name: 'schedule create',
  ...forModerators,
  announces: true,
  options: createOptions,
  async run({ options, member, origin, tipping, t, ...asking }: Call<typeof createOptions>) {
    const { kind: what, weekday: day, minutes = DEFAULT_MINUTES, ...terms } = options
    // Rain falls at once.
    if (what === 'rain' && options.minutes !== undefined) {
      throw optionUnused('commands.schedule.verbs.create.options.minutes.name', t)
    }
    const weekday = WEEKDAYS.indexOf(day) || null
    const { channel, interaction } = origin
    const place = { guild: serverOf(asking), channel, member, interaction }
    const schedule = await tipping.schedules.create({ ...place, ...terms, what, minutes, weekday })
    const missing = await shortfalls({ tipping, t, ...asking }, schedule.amount)
    const lines = [t('schedule.made'), ...linesOf(schedule, t), ...missing]
    return { say: { embeds: [panel(missing.length === 0 ? colour.done : colour.inFlight, lines)] } }
  },
} satisfies Command<typeof createOptions>

export const scheduleList = {
  name: 'schedule list',
  ...forModerators,
  options: {},
  async run({ tipping, t, ...asking }: Call) {
    const texts = (await tipping.schedules.list(serverOf(asking))).map((schedule) => linesOf(schedule, t).join('\n'))
    const body = texts.length === 0 ? t('schedule.none') : fitting(texts, '\n\n').join('\n\n')
    return { say: { embeds: [panel(colour.satchel, body, { title: t('schedule.title') })] } }
  },
} satisfies Command

const stopOptions = {
  schedule: { kind: 'text', required: true, suggest: suggestSchedules },
} as const satisfies Options

export const scheduleStop = {
  name: 'schedule stop',
  ...forModerators,
  options: stopOptions,
  async run({ options, member, tipping, t, ...asking }: Call<typeof stopOptions>) {
    const schedule = await tipping.schedules.stop({ ...options, guild: serverOf(asking), member })
    return { say: { embeds: [panel(colour.over, linesOf(schedule, t))] } }
  },
} satisfies Command<typeof stopOptions>

async function suggestSchedules({ guild, caller, tipping, t, typed }: Typing): Promise<Suggestion[]> {
  if (guild === null || !(await caller.moderates())) return []
  const going = (await tipping.schedules.list(guild)).filter(({ state }) => state === 'on')
  return going
    .map((schedule) => {
      const name = `${whatOf(schedule, t)} · ${t.amount(schedule.amount)} · ${weekdayOf(schedule, t)} ${timeOf(schedule)}`
      return { name, value: schedule.id }
    })
    .filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}

async function suggestZones({ typed }: Typing): Promise<Suggestion[]> {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_')
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => zone.toLowerCase().includes(wanted))
  return zones.map((zone) => ({ name: zone, value: zone }))
}

const CHOICES = 'commands.schedule.verbs.create.options'

function whatOf({ what }: ScheduleView, t: Translator): string {
  return t(`${CHOICES}.kind.choices.${what}`)
}

function weekdayOf({ weekday }: ScheduleView, t: Translator): string {
  return t(`${CHOICES}.weekday.choices.${WEEKDAYS[weekday ?? 0] ?? 'daily'}`)
}

function timeOf({ hour, minute }: ScheduleView): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Describes a schedule: its kind, amount, reason, times and state. */
function linesOf(schedule: ScheduleView, t: Translator): string[] {
  const { amount, people, reason, zone, channel, owner, state, stoppedBy, trouble, nextAt, done, times } = schedule
  const [who, counts] = [mention(owner), { done, times }]
  const when = { weekday: weekdayOf(schedule, t), time: timeOf(schedule), zone, channel: channelMention(channel) }
  const states = {
    on: () => t('schedule.next', { at: nextAt === undefined ? '' : moment(nextAt), who, ...counts }),
    done: () => t('schedule.done', { who, ...counts }),
    stopped: () =>
      stoppedBy === undefined
        ? t('schedule.stoppedOwner', { who })
        : t('schedule.stopped', { who: mention(stoppedBy), ...counts }),
  }
  return [
    `**${whatOf(schedule, t)}** · ${t.amount(amount)} · ${t('tip.people', { count: people })}`,
    `> ${quotable(reason, MAX_REWARD_REASON)}`,
    t('schedule.when', when),
    states[state](),
    ...(trouble === undefined ? [] : [t('schedule.trouble')]),
  ]
}
