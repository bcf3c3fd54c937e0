import { MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Form, FormField } from '../interactions/command.ts'
import { labelled, optionLabel, radiosOf, titled } from '../interactions/form-fields.ts'

export const DROP_FORM_VERB = 'drop-form'
const SHARES = ['1', '2', '3', '5', '7', '10', '20', '50', '100']
const MINUTES = ['10', '30', '60', '360', '1440', '10080']
/** The durations that are shown in hours or days, by their number of minutes. */
const SAID = { 60: [1, 'hour'], 360: [6, 'hour'], 1440: [1, 'day'], 10080: [7, 'day'] } as const

/** The ways in which shares are taken: first come, first served; by a draw; by solving a sum; or with a phrase. */
export const WAYS = ['first', 'draw', 'sum', 'phrase'] as const
export type Way = (typeof WAYS)[number]

export interface DropAsked {
  readonly amount: string | undefined
  readonly shares: number | undefined
  readonly minutes: number | undefined
  readonly way: Way
  readonly role: string | undefined
  readonly pool: boolean
  readonly reason: string | undefined
  /** The values for which the form has no field, encoded. */
  readonly record: string
}

/** Builds the form for a drop's main options, filled in with the command's values. */
export function formOfDrop(asked: DropAsked, t: Translator): Form {
  const { minutes = 60, way, pool, reason, record } = asked
  const ways = {
    first: t('drop.form.first'),
    draw: t('drop.enterButton'),
    sum: t('commands.drop.options.puzzle.choices.sum'),
    phrase: t('commands.drop.options.puzzle.choices.phrase'),
  }
  const time = (value: string) => {
    const [count, unit] = SAID[Number(value) as keyof typeof SAID] ?? [Number(value), 'minute']
    return t.duration(count, unit)
  }
  return {
    verb: DROP_FORM_VERB,
    record,
    title: titled(t('commands.drop.name')),
    fields: [
      ...sizeFields(asked, t),
      { name: 'way', label: t('drop.form.way'), radios: radiosOf(WAYS, way, (value) => ways[value as Way]) },
      {
        // Here a time is chosen, not typed in minutes.
        ...{ name: 'minutes', label: optionLabel(t('commands.giveaway.verbs.start.options.duration.name')) },
        radios: radiosOf(MINUTES, String(minutes), time),
      },
      pool
        ? { ...of('reason', t), longest: MAX_REWARD_REASON, ...(reason !== undefined && { value: reason }) }
        : { ...of('role', t), picks: 'role', optional: true },
    ],
  }
}

/** Returns the fields for the amount and the number of shares. */
export function sizeFields({ amount, shares }: Pick<DropAsked, 'amount' | 'shares'>, t: Translator): FormField[] {
  return [
    { ...of('amount', t), longest: 30, ...(amount !== undefined && { value: amount }) },
    { ...of('shares', t), radios: radiosOf(SHARES, String(shares ?? 5), (value) => value) },
  ]
}

function of(option: 'amount' | 'shares' | 'role' | 'reason', t: Translator) {
  return labelled(option, t(`commands.drop.options.${option}.name`), t(`commands.drop.options.${option}.description`))
}
