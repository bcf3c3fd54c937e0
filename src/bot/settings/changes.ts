import { roleMention, TimestampStyles, time } from 'discord.js'
import type { ServerChange } from '../../tipping/tipping.ts'
import type { Button, Press } from '../discord/command.ts'
import { CommandRefusal } from '../discord/command-refusal.ts'
import type { Message } from '../discord/message.ts'
import { colour, mention, panel } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'
import type { Translator } from '../i18n/translator.ts'
import { CHANGES_VERB, topics } from './server.ts'

/** So many fit in a message. */
const MAX_SHOWN = 15
const MAX_REASON_LENGTH = 60

/** Who changed what in a server, the newest first; for its moderators. */
export const settingsChanges = {
  verb: CHANGES_VERB,
  names: 'nothing',
  answer: 'private',
  async press({ guild, caller, tipping, t }: Press) {
    if (guild === null) throw new CommandRefusal('commandRefusals.servers-only')
    if (!(await caller.moderates())) throw new CommandRefusal('commandRefusals.moderators-only')
    return { say: drawChanges(await tipping.insights.changes(guild, MAX_SHOWN), t) }
  },
} satisfies Button

function drawChanges(changes: readonly ServerChange[], t: Translator): Message {
  const lines = changes.length === 0 ? [t('changes.none')] : changes.map((change) => lineOf(change, t))
  return { embeds: [panel(colour.satchel, lines, { title: t('changes.title') })] }
}

function lineOf({ at, member, action, amount, to, of, role, reason, settings }: ServerChange, t: Translator): string {
  const changed = topics
    .filter((topic) => settings.includes(topic))
    .map((topic) => t(`settings.server.titles.${topic}`))
  const person = to ?? of
  const facts = [
    `${time(at, TimestampStyles.RelativeTime)} · ${mention(member)}`,
    `**${t(`changes.what.${action}`)}**`,
    changed.length === 0 ? '' : t.list(changed),
    role === undefined ? '' : roleMention(role),
    person === undefined ? '' : `→ ${mention(person)}`,
    amount === undefined ? '' : t.amount(amount),
    reason === undefined ? '' : `“${quotable(reason, MAX_REASON_LENGTH)}”`,
  ]
  return `• ${facts.filter((fact) => fact !== '').join(' · ')}`
}
