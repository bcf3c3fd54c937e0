import { askForm } from '../asks/buttons.ts'
import { dropAnswer } from '../drops/buttons.ts'
import { dropForm, dropPuzzle } from '../drops/command.ts'
import { giveawayForm } from '../giveaways/form.ts'
import type { FormReply } from '../interactions/command.ts'
import { keepForm } from '../links/keep-button.ts'
import { poolFillForm } from '../pools/guide.ts'
import { settingsEmojiForm } from '../settings/emoji-form.ts'
import { messageTipForm, personForm } from '../tips/menu.ts'
import { withdrawForm } from '../withdrawals/command.ts'

/** The handlers of all forms. */
export const formReplies: readonly FormReply[] = [
  dropAnswer,
  dropPuzzle,
  dropForm,
  askForm,
  giveawayForm,
  messageTipForm,
  personForm,
  withdrawForm,
  keepForm,
  poolFillForm,
  settingsEmojiForm,
]
