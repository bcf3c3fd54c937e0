import { plainSats } from '../../lib/csv.ts'
import type { EmojiTip } from '../../tipping/tipping.ts'
import type { Filled, Form, FormButton, FormReply, Opening, Submission } from '../interactions/command.ts'
import { filledAgain, readAgain } from '../interactions/filled-again.ts'
import { serverOfManager } from '../interactions/in-server.ts'
import { cut } from '../messages/panel.ts'
import { serverWalletOf } from '../pools/server-wallet.ts'
import { drawServer, EMOJI_VERB } from './server.ts'

const MAX_TEXT = 400
const MAX_LABEL = 45

/**
 * Opens a form about which reactions tip in a server, and how much, filled in with the present settings or earlier
 * input.
 */
export const settingsEmoji = {
  verb: EMOJI_VERB,
  names: 'nothing',
  async open({ record, t, tipping, ...opening }: Opening): Promise<Form> {
    const { emojiTips } = tipping.preferences.ofServer(serverOfManager(opening))
    const value = record === 'here' ? asTyped(emojiTips) : (readAgain(record, 0, 1).texts[0] ?? '')
    return {
      verb: settingsEmojiForm.verb,
      record: 'here',
      title: cut(t('settings.server.titles.emojiTips'), MAX_LABEL),
      fields: [
        {
          name: 'emoji',
          label: t('settings.server.emojiLabel'),
          hint: t('settings.server.emojiHint'),
          optional: true,
          longest: MAX_TEXT,
          ...(value !== '' && { value }),
        },
      ],
    }
  },
} satisfies FormButton

/** Changes which reactions tip in a server, and how much. */
export const settingsEmojiForm = {
  verb: 'settings-emoji-form',
  names: 'nothing',
  answer: 'update',
  async submit({ values, member, t, tipping, links, ...asking }: Submission) {
    const { preferences } = tipping
    const text = values.emoji ?? ''
    const guild = serverOfManager(asking)
    const server = await preferences.changeEmojiTips({ guild, member, text })
    const wallet = await serverWalletOf({ tipping, links }, guild, false)
    return { say: drawServer(server, 'emojiTips', { t, defaults: preferences.defaults, wallet }) }
  },
  again({ values: { emoji = '' }, t }: Filled) {
    return filledAgain(EMOJI_VERB, [], [emoji.replaceAll('\n', '; ')], t)
  },
} satisfies FormReply

function asTyped(tips: readonly EmojiTip[]): string {
  return tips.map(({ emoji, amount }) => `${emoji} ${plainSats(amount)}`).join('\n')
}
