import type { FormReply } from '../discord/command.ts'
import { dropAnswer } from '../drops/buttons.ts'
import { dropPuzzle } from '../drops/command.ts'
import { keepForm } from '../members/keep-button.ts'
import { poolFillForm } from '../pools/guide.ts'
import { messageTipForm, personForm } from '../tips/menu.ts'
import { withdrawForm } from '../withdrawals/command.ts'

/** What is done with every form that can be filled in. */
export const formReplies: readonly FormReply[] = [
  dropAnswer,
  dropPuzzle,
  messageTipForm,
  personForm,
  withdrawForm,
  keepForm,
  poolFillForm,
]
