import { MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Filled, Form, FormButton, FormReply, Opening, Submission } from '../interactions/command.ts'
import { filledAgain, longId, readAgain, shortId } from '../interactions/filled-again.ts'
import { labelled, optionLabel, radiosOf, titled } from '../interactions/form-fields.ts'
import { type GiveawayGiven, startGiveaway } from './start.ts'
import { DURATIONS } from './suggestions.ts'

const WINNERS = ['1', '2', '3', '5', '10', '20']
const AGES = ['7', '30', '90', '365']
const ANY_AGE = '0'
const FIRST_DURATION = '1d'

/** Starts a giveaway from its form, for people who did not type all values with the command. */
export const giveawayForm = {
  verb: 'giveaway-form',
  names: 'nothing',
  answer: 'public',
  dryRun: true,
  submit: (submission: Submission) => startGiveaway(submission, givenOf(submission)),
  again(filled: Filled) {
    const { prize, winners, duration, minAgeDays, role, bonusRole, bonusChances, from, reason, ...terms } =
      givenOf(filled)
    const { moreRoles, needsAll, maxEntries, activeDays, claimTime } = terms
    const ids = [shortId(role), shortId(bonusRole)]
    const more = [moreRoles.map(shortId).join(','), needsAll ? 'a' : '', maxEntries, activeDays, briefly(claimTime)]
    const fixed = [from === 'pool' ? 'p' : '', winners, duration, minAgeDays, ...ids, bonusChances, ...more]
    return filledAgain(giveawayAgain.verb, fixed, [prize, reason], filled.t)
  },
} satisfies FormReply

/** Opens the form of a refused giveaway again, as it was filled in. */
export const giveawayAgain = {
  verb: 'giveaway-again',
  names: 'nothing',
  async open({ record, t }: Opening) {
    const { fixed, texts } = readAgain(record, 12, 2)
    const [from, winners, duration, age, role, bonusRole, bonusChances, ...more] = fixed
    const [prize, reason] = texts
    const given: Partial<GiveawayGiven> = {
      ...{ prize, winners: Number(winners) || undefined, duration: duration || undefined, reason: reason || undefined },
      ...{ role: longId(role), minAgeDays: Number(age) || undefined, from: from === 'p' ? 'pool' : undefined },
      ...{ bonusRole: longId(bonusRole), bonusChances: Number(bonusChances) || undefined },
      ...readMore(more),
    }
    return formOfGiveaway(given, t)
  },
} satisfies FormButton

function givenOf({ record, values, picked }: Filled): GiveawayGiven {
  const [role] = picked.role ?? []
  const [from, age, givenRole, bonusRole, bonusChances, ...more] = record.split('/')
  const minAge = Number(values['min-age'] ?? age ?? ANY_AGE)
  return {
    prize: values.prize ?? '',
    winners: Number(values.winners),
    duration: values.duration ?? '',
    role: role?.id ?? longId(givenRole),
    ...readMore(more),
    minAgeDays: minAge > 0 ? minAge : undefined,
    bonusRole: longId(bonusRole),
    bonusChances: Number(bonusChances) || undefined,
    from: from === 'pool' ? 'pool' : undefined,
    reason: values.reason,
  }
}

/** Shortens a typed time so that it fits into a form's record. */
function briefly(time: string | undefined): string {
  return time?.replaceAll(/[\s/]/g, '').slice(0, 8) ?? ''
}

/**
 * Reads options without a field in the form: further roles, whether all are needed, the number of entries at which the
 * giveaway closes, the required activity, and the time to claim.
 */
function readMore([roles = '', all, entries, active, claim]: readonly string[]) {
  const moreRoles = roles.split(',').flatMap((short) => longId(short) ?? [])
  return {
    ...{ moreRoles, needsAll: all === 'a' },
    ...{ maxEntries: Number(entries) || undefined, activeDays: Number(active) || undefined },
    claimTime: claim || undefined,
  }
}

/** Builds the form that starts a giveaway, filled in with the command's values. */
export function formOfGiveaway(given: Partial<GiveawayGiven>, t: Translator): Form {
  const { prize, winners, duration = FIRST_DURATION, role, minAgeDays, bonusRole, bonusChances, from, reason } = given
  const { moreRoles = [], needsAll = false, maxEntries, activeDays, claimTime } = given
  const ids = [shortId(role), shortId(bonusRole)]
  const more = [moreRoles.map(shortId).join(','), needsAll ? 'a' : '', maxEntries, activeDays, briefly(claimTime)]
  const of = (option: 'prize' | 'winners' | 'role' | 'min-age' | 'reason') =>
    labelled(
      option,
      t(`commands.giveaway.verbs.start.options.${option}.name`),
      t(`commands.giveaway.verbs.start.options.${option}.description`),
    )
  const known = (value: string) => {
    const [, count, unit] = DURATIONS.find(([each]) => each === value) ?? []
    return count === undefined || unit === undefined ? value : t.duration(count, unit)
  }
  const age = (value: string) => (value === ANY_AGE ? t('giveaway.form.anyAge') : t.duration(Number(value), 'day'))
  return {
    verb: giveawayForm.verb,
    record: [from, minAgeDays, ...ids, bonusChances, ...more].map((value) => value ?? '').join('/'),
    title: titled(t('commands.giveaway.verbs.start.description')),
    fields: [
      { ...of('prize'), longest: 40, ...(prize !== undefined && { value: prize }) },
      { ...of('winners'), radios: radiosOf(WINNERS, String(winners ?? 1), (value) => value) },
      {
        // The command's description explains how to type a time. Here it is chosen.
        ...{ name: 'duration', label: optionLabel(t('commands.giveaway.verbs.start.options.duration.name')) },
        radios: radiosOf(
          DURATIONS.map(([value]) => value),
          duration,
          known,
        ),
      },
      { ...of('role'), picks: 'role', optional: true },
      from === 'pool'
        ? { ...of('reason'), longest: MAX_REWARD_REASON, ...(reason !== undefined && { value: reason }) }
        : { ...of('min-age'), radios: radiosOf([ANY_AGE, ...AGES], String(minAgeDays ?? ANY_AGE), age) },
    ],
  }
}
