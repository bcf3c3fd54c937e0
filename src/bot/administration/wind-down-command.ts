import type { WindDownView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import { colour, moment, panel, relative } from '../messages/panel.ts'

const options = { date: { kind: 'text', longest: 30 }, stop: { kind: 'yes-no' } } as const satisfies Options

/** Starts, stops or shows a wind-down: the planned end of the bot, which pays out all balances. */
export const adminWindDown = {
  name: 'admin wind-down',
  answer: 'private',
  where: 'home',
  options,
  async run({ member, options: { date: by, stop }, tipping, t }: Call<typeof options>) {
    const { windDown } = tipping
    if (stop === true) {
      await windDown.stop({ operator: member })
      return { say: { embeds: [panel(colour.done, t('admin.windDown.stopped'))] } }
    }
    const begun = by === undefined ? undefined : await windDown.start({ by, operator: member })
    if (begun?.state === 'on') {
      return { say: { embeds: [panel(colour.done, t('admin.windDown.on', { when: moment(begun.by) }))] } }
    }
    const view = begun ?? (await windDown.status())
    if (view === undefined) return { say: { embeds: [panel(colour.satchel, t('admin.windDown.none'))] } }
    const text = view.state === 'proposed' ? proposedText(view, t) : statusText(view, t)
    return { say: { embeds: [panel(colour.inFlight, text)] } }
  },
} satisfies Command<typeof options>

function proposedText({ by, dueAt }: WindDownView, t: Translator): string {
  const what = t('admin.windDown.what', { when: moment(by) })
  if (dueAt !== undefined) return t('admin.alone', { what, when: relative(dueAt) })
  return t('admin.windDown.proposed', { what })
}

function statusText({ by, round, balances, claims, underWay }: WindDownView, t: Translator): string {
  const sums = { amount: balances.amount, claims: claims.amount }
  return t('admin.windDown.status', { when: moment(by), round, underWay, ...sums })
}
