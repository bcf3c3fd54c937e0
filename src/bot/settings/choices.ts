import { sats } from '../../lib/money/amount.ts'
import type { MemberPreferences, ServerPreferences } from '../../tipping/tipping.ts'
import type { Asking, Button, Choice, Choosing, Press } from '../discord/command.ts'
import { CommandRefusal } from '../discord/command-refusal.ts'
import { DEFAULT, drawMine, MINE_VERB, OPEN_VERB, TOGGLE_VERB } from './mine.ts'
import { drawServer, SERVER_VERB, type Topic, topics } from './server.ts'

/** Chooses one of a member's own settings. */
export const settingsMine = {
  verb: MINE_VERB,
  answer: 'update',
  async choose({ record, chosen: [value = DEFAULT], ...asking }: Choosing) {
    const language = value === DEFAULT ? undefined : value
    return await changeMine(asking, record === 'language' ? { language } : { reactionTip: amountOf(value) })
  },
} satisfies Choice

/** Switches one of them on or off, as the button says. */
export const settingsToggle = {
  verb: TOGGLE_VERB,
  answer: 'update',
  async press({ record, ...asking }: Press) {
    const [what, chosenState] = record.split('/')
    const on = chosenState === 'on'
    return await changeMine(asking, what === 'receipts' ? { receipts: on } : { hidden: on })
  },
} satisfies Button

/** Opens the server's settings. */
export const settingsOpen = {
  verb: OPEN_VERB,
  answer: 'private',
  async press({ t, tipping, ...asking }: Press) {
    return { say: drawServer(tipping.preferences.ofServer(mayManage(asking)), undefined, t) }
  },
} satisfies Button

/** Chooses which of a server's settings to change, or changes it. */
export const settingsServer = {
  verb: SERVER_VERB,
  answer: 'update',
  async choose({ record, chosen, member, t, tipping, ...asking }: Choosing) {
    const guild = mayManage(asking)
    const topic = topics.find((each) => each === (record === 'topic' ? chosen[0] : record))
    if (topic === undefined) throw new CommandRefusal('commandRefusals.stale-button')
    if (record === 'topic') return { say: drawServer(tipping.preferences.ofServer(guild), topic, t) }
    const change = changeOf(topic, chosen)
    return { say: drawServer(await tipping.preferences.changeServer({ guild, member, change }), topic, t) }
  },
} satisfies Choice

async function changeMine(
  {
    member,
    caller,
    guild,
    tipping,
    t,
  }: Omit<Asking, 'origin' | 'memberName' | 'userName' | 'asked' | 'members' | 'log'>,
  change: Partial<MemberPreferences>,
) {
  const mine = await tipping.preferences.change({ member, change })
  return { say: drawMine(mine, t, caller.manager && guild !== null) }
}

/** Who may pick moderators is decided by Discord alone, so that no role makes itself one. */
function mayManage({ caller, guild }: Pick<Asking, 'caller' | 'guild'>): string {
  if (guild === null) throw new CommandRefusal('commandRefusals.servers-only')
  if (!caller.manager) throw new CommandRefusal('commandRefusals.managers-only')
  return guild
}

function changeOf(topic: Topic, chosen: readonly string[]): Partial<ServerPreferences> {
  const [value = DEFAULT] = chosen
  switch (topic) {
    case 'channels':
    case 'moderatorRoles':
      return { [topic]: chosen }
    case 'language':
      return { language: value === DEFAULT ? undefined : value }
    case 'claimDays':
    case 'newAccountDays':
    case 'coolDownSeconds':
      return { [topic]: value === DEFAULT ? undefined : Number(value) }
    default:
      return { [topic]: amountOf(value) }
  }
}

function amountOf(value: string) {
  return value === DEFAULT ? undefined : sats(Number(value))
}
