import { roleMention, TimestampStyles, time } from 'discord.js'
import type { ServerChange, ServerDefaults } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { serverOfModerator } from '../interactions/in-server.ts'
import type { Message } from '../messages/message.ts'
import { colour, fitting, mention, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { CHANGES_VERB, chosenLines } from './server.ts'

/** The most lines in a message. */
const MAX_SHOWN = 15
const MAX_REASON_LENGTH = 60

interface Around {
  readonly t: Translator
  readonly defaults: ServerDefaults
}

/** Lists changes in a server and their authors, newest first, for its moderators. */
export const settingsChanges = {
  verb: CHANGES_VERB,
  names: 'nothing',
  answer: 'private',
  async press({ tipping, t, ...asking }: Press) {
    const guild = await serverOfModerator(asking)
    const { defaults } = tipping.preferences
    return { say: drawChanges(await tipping.insights.changes(guild, MAX_SHOWN), { t, defaults }) }
  },
} satisfies Button

/** Shows a moderation log entry in the channel that the server chose for its log. */
export const moderationLogRenderer = renderCard({
  async load(tipping, record) {
    return { change: await tipping.insights.changeOfCard(record), defaults: tipping.preferences.defaults }
  },
  draw: ({ change, defaults }, t): Drawing => {
    const embed = panel(colour.satchel, lineOf(change, { t, defaults }), {
      ...(change.member !== undefined && { footer: change.member }),
    })
    return { message: { embeds: [{ ...embed, timestamp: change.at.toISOString() }] } }
  },
})

function drawChanges(changes: readonly ServerChange[], around: Around): Message {
  const { t } = around
  const when = ({ at }: ServerChange) => time(at, TimestampStyles.RelativeTime)
  const lines = changes.map((change) => `• ${when(change)} · ${lineOf(change, around)}`)
  const body = lines.length === 0 ? t('changes.none') : fitting(lines, '\n')
  return { embeds: [panel(colour.satchel, body, { title: t('changes.title') })] }
}

/** Describes a moderator's action, its target and its reason. */
function lineOf(
  { member, action, amount, to, of, gift, role, apiKey, reason, settings }: ServerChange,
  around: Around,
): string {
  const { t } = around
  const person = to ?? of
  const what = action === 'budget' && amount === undefined ? 'budget-removed' : action
  const facts = [
    member === undefined ? t('changes.byItself') : mention(member),
    `**${t(`changes.what.${what}`)}**`,
    ...chosenLines(settings, around),
    role === undefined ? '' : roleMention(role),
    person === undefined ? '' : `→ ${mention(person)}`,
    amount === undefined ? '' : t.amount(amount),
    gift === undefined ? '' : t(`changes.gift.${gift}`),
    apiKey === undefined ? '' : keyInWords(action, quotable(apiKey, apiKey.length), t),
    reason === undefined ? '' : t('units.quoted', { text: quotable(reason, MAX_REASON_LENGTH) }),
  ]
  return facts.filter((fact) => fact !== '').join(' · ')
}

const ABOUT_KEYS: ReadonlySet<ServerChange['action']> = new Set(['api-key', 'api-key-revoked', 'webhook-given-up'])

/** Returns the name of the API key that was changed, or says which API key acted. */
function keyInWords(action: ServerChange['action'], name: string, t: Translator): string {
  return ABOUT_KEYS.has(action) ? t('units.quoted', { text: name }) : t('changes.byApiKey', { name })
}
