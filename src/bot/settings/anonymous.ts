import { TimestampStyles, time } from 'discord.js'
import type { AnonymousTipsPage } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { serverOfModerator } from '../interactions/in-server.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, fitting, mention, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { ANONYMOUS_VERB } from './server.ts'

const MAX_NAMED = 5
const MAX_NOTE_SHOWN = 60

/** Lists a server's anonymous tips with their givers, newest first, for its moderators. */
export const settingsAnonymous = {
  verb: ANONYMOUS_VERB,
  names: 'nothing',
  answer: 'private',
  async press({ record, tipping, t, ...asking }: Press) {
    const guild = await serverOfModerator(asking)
    const page = /^\d{1,6}$/.test(record) ? Number(record) : 0
    return { say: draw(await tipping.insights.anonymousTips(guild, page), page, t) }
  },
} satisfies Button

function draw({ tips, isMore }: AnonymousTipsPage, page: number, t: Translator): Message {
  const lines = tips.map(({ from, to, total, note, at }) => {
    const people = to.length > MAX_NAMED ? t('tip.people', { count: to.length }) : t.list(to.map(mention))
    const words = note === '' ? '' : ` · ${t('units.quoted', { text: quotable(note, MAX_NOTE_SHOWN) })}`
    return `• ${time(at, TimestampStyles.RelativeTime)} · ${mention(from)} → ${people} · ${t.amount(total)}${words}`
  })
  const body = lines.length === 0 ? t('anonymousTips.none') : fitting(lines, '\n')
  return {
    embeds: [panel(colour.satchel, body, { title: t('anonymousTips.title') })],
    buttons: isMore ? [button(ANONYMOUS_VERB, String(page + 1), t('history.olderButton'))] : [],
  }
}
